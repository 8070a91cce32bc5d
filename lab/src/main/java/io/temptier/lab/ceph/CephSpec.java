// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.process.Shell;
import java.util.List;
import java.util.Optional;

/**
 * Parts of a testbed besides its one monitor and its one OSD.
 *
 * @param osdBytes what the OSD can hold; only what is used takes room
 */
public record CephSpec(int gateways, long osdBytes) {
  public static final int MOST_GATEWAYS = 4;

  /** Bytes that an OSD needs for itself and a little data. */
  public static final long LEAST_OSD_BYTES = 4L << 30;

  static final List<String> PROGRAMS =
      List.of("ceph-mon", "monmaptool", "ceph-osd", "radosgw", "ceph", "radosgw-admin");

  private static final String PACKAGES = "ceph-mon ceph-osd radosgw ceph-common";

  public CephSpec {
    if (gateways < 1 || gateways > MOST_GATEWAYS) {
      throw new IllegalArgumentException(gateways + " gateways: expected 1 to " + MOST_GATEWAYS);
    }
    if (osdBytes < LEAST_OSD_BYTES) {
      throw new IllegalArgumentException(
          osdBytes + " bytes are too few for an OSD: it needs " + LEAST_OSD_BYTES);
    }
  }

  /** Tells why no Ceph can be run here, with what to install; empty if it can. */
  public static Optional<String> hindrance() {
    return hindrance(Shell.path());
  }

  static Optional<String> hindrance(String searchPath) {
    List<String> missing =
        PROGRAMS.stream().filter(program -> !Shell.isOn(searchPath, program)).toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("the testbed runs Ceph's own programs, and PATH has no %s. On Debian: apt-get"
                    + " install --no-install-recommends %s")
                .formatted(String.join(", ", missing), PACKAGES));
  }
}
