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
  RAM_DISK("RAM", "MEM", "MEMORY", "TMPFS"),
  /** Persistent memory, mounted with DAX or behind a pmem block device. */
  NVDIMM("PMEM", "DCPMM", "DAX", "SCM"),
  NVME("OPTANE"),
  SSD("FLASH"),
  DISK("HDD", "SATA", "SPINNING", "ARCHIVE"),
  /** Storage behind a network or a user-space file system: NFS, Lustre, CephFS, RBD, FUSE. */
  REMOTE("NFS", "RBD", "CEPH", "LUSTRE", "PROVIDED");

  private final List<String> otherNames;

  Medium(String... otherNames) {
    this.otherNames = Immutable.listOf(otherNames);
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
