// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.process.Shell;
import java.util.List;
import java.util.Optional;

/** Ceph's programs on this machine. */
public final class CephPrograms {
  static final List<String> NEEDED =
      List.of(
          "ceph-mon",
          "monmaptool",
          "ceph-osd",
          "radosgw",
          "ceph",
          "ceph-authtool",
          "radosgw-admin");

  /** Debian's packages that hold them. */
  private static final String PACKAGES = "ceph-mon ceph-osd radosgw ceph-common";

  private CephPrograms() {}

  /** Why no Ceph can be run here, with what to install, or empty. */
  public static Optional<String> hindrance() {
    return hindrance(Shell.path());
  }

  static Optional<String> hindrance(String searchPath) {
    List<String> missing =
        NEEDED.stream().filter(program -> !Shell.isOn(searchPath, program)).toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("the testbed runs Ceph's own programs, and PATH has no %s. On Debian: apt-get"
                    + " install --no-install-recommends %s")
                .formatted(String.join(", ", missing), PACKAGES));
  }
}
