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
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.ClusterSpec;
import io.temptier.bench.node.WorkerNode;
import io.temptier.bench.testbed.Disk;
import io.temptier.bench.testbed.MergedMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a job's temporary data goes. */
public enum Arm {
  /** Local dirs on the slow disks only, as on a worker without a fast disk. */
  STOCK_HDD("stock-hdd", "HDDs only", "#d98032"),

  /** The fast disk is one more in the list, as a user would do without TempTier. */
  STOCK_MIXED("stock-mixed", "NVMe added to the list", "#c0504d"),

  /** The fast disk only: fails when it is full. */
  STOCK_NVME_ONLY("stock-nvme-only", "NVMe only", "#5b7fb8"),

  /** All disks below one FUSE mount. */
  MERGERFS("mergerfs", "mergerfs over NVMe and HDDs", "#8a94a3"),

  /** TempTier over the same dirs as {@link #STOCK_MIXED}. */
  TEMPTIER("temptier", "TempTier", "#0e9aa7"),

  /** A fast disk that everything fits on: the limit. */
  IDEAL("ideal", "a fast disk without end", "#5aa469");

  private final String label;
  private final String explanation;
  private final String colour;

  Arm(String label, String explanation, String colour) {
    this.label = label;
    this.explanation = explanation;
    this.colour = colour;
  }

  /** Its name on the command line, in texts and for programs. */
  public String label() {
    return label;
  }

  /** Its name for people. */
  public String explanation() {
    return explanation;
  }

  /** Its colour in charts. */
  public String colour() {
    return colour;
  }

  /** Whether TempTier is on. */
  public boolean tiered() {
    return this == TEMPTIER;
  }

  /** The arm of that label. */
  public static Optional<Arm> of(String label) {
    return Stream.of(values()).filter(arm -> arm.label.equals(label)).findFirst();
  }

  /** Why it cannot be run here on that site, or empty. */
  Optional<String> hindrance(Site site) {
    if (site.ownCluster()) {
      return this == STOCK_MIXED || this == TEMPTIER
          ? Optional.empty()
          : Optional.of("needs NodeManagers with other local dirs, which stay as they are");
    }
    return switch (this) {
      case MERGERFS -> MergedMount.hindrance();
      case IDEAL ->
          site.ownDirs()
              ? Optional.of("a fast disk without end is not among --dirs")
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * The local dirs.
   *
   * @param ideal the disk that everything fits on
   * @param folder their name on each disk
   * @param merged where these folders are one, for the arm that needs that
   */
  List<ClusterSpec.Dir> dirs(WorkerNode node, Disk ideal, String folder, Path merged) {
    if (this == MERGERFS) {
      return List.of(new ClusterSpec.Dir("[REMOTE]", merged.resolve("local")));
    }
    List<ClusterSpec.Dir> dirs = new ArrayList<>();
    if (this == IDEAL) {
      dirs.add(dir("[NVME]", ideal, folder));
    } else if (this != STOCK_HDD) {
      node.fastDisks().forEach(disk -> dirs.add(dir("[NVME]", disk, folder)));
    }
    if (this == STOCK_HDD || this == STOCK_MIXED || this == TEMPTIER) {
      node.hdds().forEach(hdd -> dirs.add(dir("[DISK]", hdd, folder)));
    }
    return dirs;
  }

  private static ClusterSpec.Dir dir(String tag, Disk disk, String folder) {
    return new ClusterSpec.Dir(tag, disk.mount().resolve(folder));
  }
}
