// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of storage a local dir can lie on, fastest first. The ordinal is the default speed
 * order.
 */
public enum Medium {
  /** Memory: tmpfs or ramfs. Its files are lost with the machine, as HDFS's medium of that name. */
  RAM_DISK,
  /** Persistent memory, mounted with DAX or behind a pmem block device. */
  NVDIMM,
  /** A solid-state disk on the NVMe bus. */
  NVME,
  /** Any other solid-state disk. */
  SSD,
  /** A rotating disk. */
  DISK,
  /** Storage behind a network or a user-space file system: NFS, Lustre, CephFS, RBD, FUSE. */
  REMOTE;

  /**
   * Parses a tag such as {@code NVME}, in any case.
   *
   * @return the medium, or empty when no medium has that name
   */
  public static Optional<Medium> parse(String tag) {
    String name = tag.trim().toUpperCase(Locale.ROOT);
    for (Medium medium : values()) {
      if (medium.name().equals(name)) {
        return Optional.of(medium);
      }
    }
    return Optional.empty();
  }
}
