/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.ceph;

/**
 * What a testbed is made of, besides its one monitor.
 *
 * @param osds object storage daemons
 * @param gateways object gateways
 * @param osdBytes what one OSD can hold; only what is used takes room
 */
public record CephSpec(int osds, int gateways, long osdBytes) {
  /** The most OSDs. */
  public static final int MOST_OSDS = 3;

  /** The most gateways. */
  public static final int MOST_GATEWAYS = 4;

  /** What an OSD needs for itself and a little data. */
  public static final long LEAST_OSD_BYTES = 4L << 30;

  /** Checks. */
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
