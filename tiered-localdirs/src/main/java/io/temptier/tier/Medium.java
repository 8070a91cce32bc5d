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
