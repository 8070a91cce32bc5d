// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

/**
 * What a testbed is made of, besides its one monitor.
 *
 * @param osdBytes what one OSD can hold; only what is used takes room
 */
public record CephSpec(int osds, int gateways, long osdBytes) {
  public static final int MOST_OSDS = 3;
  public static final int MOST_GATEWAYS = 4;

  /** What an OSD needs for itself and a little data. */
  public static final long LEAST_OSD_BYTES = 4L << 30;

  public CephSpec {
    within("OSDs", osds, MOST_OSDS);
    within("gateways", gateways, MOST_GATEWAYS);
    if (osdBytes < LEAST_OSD_BYTES) {
      throw new IllegalArgumentException(
          osdBytes + " bytes are too few for an OSD: it needs " + LEAST_OSD_BYTES);
    }
  }

  private static void within(String what, int number, int most) {
    if (number < 1 || number > most) {
      throw new IllegalArgumentException(number + " " + what + ": expected 1 to " + most);
    }
  }
}
