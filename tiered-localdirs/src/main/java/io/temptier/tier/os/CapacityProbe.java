// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.nio.file.Path;

/** Asks the kernel how full a dir's file system is. Tests put a double here. */
@FunctionalInterface
public interface CapacityProbe {
  /**
   * Capacity of the file system that holds {@code dir}. Cheap enough for every placement.
   *
   * @throws IOException when the dir is missing or its file system does not answer
   */
  Capacity probe(Path dir) throws IOException;
}
