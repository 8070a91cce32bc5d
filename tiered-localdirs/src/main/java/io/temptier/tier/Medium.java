// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Kinds of storage of a local dir, fastest first: the ordinal is the default order. */
public enum Medium {
  /** Memory: tmpfs or ramfs. Its files are lost with the machine, as HDFS's medium of that name. */
  RAM_DISK(false, "RAM", "MEM", "MEMORY", "TMPFS"),
  /** Persistent memory, behind a pmem block device. */
  NVDIMM(false, "PMEM", "DCPMM", "DAX", "SCM"),
  NVME(false, "OPTANE"),
  SSD(false, "FLASH"),
  DISK(true, "HDD", "SATA", "SPINNING", "ARCHIVE"),
  /** Storage behind a network or a user-space file system: NFS, Lustre, CephFS, RBD, FUSE. */
  REMOTE(true, "NFS", "RBD", "CEPH", "LUSTRE", "PROVIDED");

  private final boolean slow;
  private final List<String> otherNames;

  Medium(boolean slow, String... otherNames) {
    this.slow = slow;
    this.otherNames = Immutable.listOf(otherNames);
  }

  /** True if a read may wait long, for a disk's head or a network: no event loop reads it. */
  public boolean slow() {
    return slow;
  }

  /** Other names in use for it, too far from its own for an edit distance. */
  List<String> otherNames() {
    return otherNames;
  }

  /** The medium of a tag such as {@code NVME}, in any case; empty when none has that name. */
  public static Optional<Medium> parse(String tag) {
    String name = tag.trim().toUpperCase(Locale.ROOT);
    return Arrays.stream(values()).filter(medium -> medium.name().equals(name)).findFirst();
  }
}
