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
package io.temptier.bench.demotion;

import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.MemoryFolder;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The run's folder, and the fast and the slow disk in it: emulated ones, or two folders of one disk
 * where that cannot be. Closing removes everything.
 */
final class DemotionDisks implements AutoCloseable {
  private final Opened opened = new Opened();
  private final Map<String, String> descriptions = new LinkedHashMap<>();
  private final TestbedHome testbed;
  private final Path home;
  private Path fast;
  private Path slow;
  private String fastTag = "[NVME]";

  private DemotionDisks(TestbedHome testbed) {
    this.testbed = opened.push(testbed);
    this.home = testbed.path();
    this.fast = home.resolve("fast");
    this.slow = home.resolve("slow");
  }

  /**
   * Opens them.
   *
   * @param work where to make the folder if memory has no room for it
   * @throws IOException when they cannot be made; nothing is left then
   */
  static DemotionDisks open(DemotionPlan plan, Path work) throws IOException {
    long images = plan.fastBytes() + plan.slowBytes();
    Path parent = MemoryFolder.ifRoomFor(images + plan.clusterBytes(), images, work);
    DemotionDisks disks = new DemotionDisks(TestbedHome.create(parent));
    boolean open = false;
    try {
      String hindrance = EmulatedDisk.hindrance().orElse(null);
      if (hindrance == null) {
        disks.emulate(plan);
      } else {
        disks.useFolders(plan, hindrance);
      }
      open = true;
      return disks;
    } finally {
      if (!open) {
        disks.close();
      }
    }
  }

  /** The run's folder. */
  Path home() {
    return home;
  }

  /** The local dir on the fast disk. */
  Path fast() {
    return fast;
  }

  /** The tag of that dir. */
  String fastTag() {
    return fastTag;
  }

  /** The local dir on the slow disk. */
  Path slow() {
    return slow;
  }

  /** What the disks are, for people. */
  Map<String, String> descriptions() {
    return descriptions;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  private void emulate(DemotionPlan plan) throws IOException {
    EmulatedDisk fastDisk = opened.push(EmulatedDisk.create(testbed, "fast", plan.fastBytes()));
    EmulatedDisk slowDisk = opened.push(EmulatedDisk.create(testbed, "slow", plan.slowBytes()));
    fast = Files.createDirectories(fastDisk.mount().resolve("local"));
    slow = Files.createDirectories(slowDisk.mount().resolve("local"));
    descriptions.put("fast", "not slowed down: " + fastDisk.description());
    if (slowDisk.slowForAll()) {
      slowDisk.limit(plan.slowDisk());
      descriptions.put("slow", "emulated, " + plan.slowDisk() + ": " + slowDisk.description());
    } else {
      // Containers are started by the NodeManager; whether all stay in its group is not ours.
      descriptions.put("slow", "not slowed down on this kernel: " + slowDisk.description());
    }
  }

  private void useFolders(DemotionPlan plan, String hindrance) throws IOException {
    Files.createDirectories(fast);
    Files.createDirectories(slow);
    fastTag = "[NVME:" + plan.fastBytes() + "]";
    descriptions.put("fast", fast + ", a folder");
    descriptions.put("slow", slow + ", a folder of the same disk: " + hindrance);
  }
}
