// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.ControlGroup;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.OwnDisk;
import io.temptier.lab.testbed.PageCache;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The disks of one worker node that a cluster is started on: emulated ones with a bound of memory,
 * or the user's. Closing removes what was made.
 */
public final class WorkerNode implements Closeable {
  private static final String FAST = "nvme";
  private static final String HDD = "hdd";

  private final Opened opened = new Opened();
  private final @Nullable DiskSpeed slow;
  private final Map<String, Disk> disks = new LinkedHashMap<>();
  private @Nullable ControlGroup memory;

  private WorkerNode(@Nullable DiskSpeed slow) {
    this.slow = slow;
  }

  /**
   * Makes an emulated one, its disks not slow yet.
   *
   * @param home the folder of a run, with which it goes whatever becomes of this JVM
   * @throws IOException when the system refuses; nothing is left then
   */
  public static WorkerNode emulated(NodeSpec spec, Path home) throws IOException {
    return Opened.ready(
        new WorkerNode(spec.hddSpeed()),
        node -> {
          node.memory =
              ControlGroup.ofMemory(ControlGroup.CGROUPS, home, spec.memoryBytes())
                  .map(node.opened::push)
                  .orElse(null);
          PageCache.bound(PageCache.VM, home);
          node.add(FAST + 0, EmulatedDisk.create(home, FAST + 0, spec.fastBytes()));
          for (int i = 0; i < spec.hdds(); i++) {
            node.add(HDD + i, EmulatedDisk.create(home, HDD + i, spec.hddBytes()));
          }
        });
  }

  /**
   * Disks as the user has them, with a folder of the run's own in each dir.
   *
   * @throws IOException when one of them cannot be made; none is left then
   */
  public static WorkerNode own(List<Path> fastDirs, List<Path> slowDirs) throws IOException {
    return Opened.ready(
        new WorkerNode(null),
        node -> {
          for (int i = 0; i < fastDirs.size(); i++) {
            node.add(FAST + i, OwnDisk.create(fastDirs.get(i)));
          }
          for (int i = 0; i < slowDirs.size(); i++) {
            node.add(HDD + i, OwnDisk.create(slowDirs.get(i)));
          }
        });
  }

  private void add(String name, Disk disk) {
    disks.put(name, opened.push(disk));
  }

  public static boolean isHdd(String name) {
    return name.startsWith(HDD);
  }

  public List<Disk> fastDisks() {
    return disks(false);
  }

  public List<Disk> hdds() {
    return disks(true);
  }

  private List<Disk> disks(boolean slow) {
    return disks.entrySet().stream()
        .filter(disk -> isHdd(disk.getKey()) == slow)
        .map(Map.Entry::getValue)
        .toList();
  }

  /** All disks by their names, fast ones first; a map of the caller's own. */
  public Map<String, Disk> disks() {
    return new LinkedHashMap<>(disks);
  }

  /** Makes the slow disks slow, where that is up to us. */
  public void slowDown() throws IOException {
    if (slow != null) {
      for (Disk hdd : hdds()) {
        hdd.limit(slow);
      }
    }
  }

  /** Makes the slow disks fast for a while, where the kernel slows them for every process. */
  public void speedUp() throws IOException {
    for (Disk hdd : hdds()) {
      hdd.lift();
    }
  }

  /** Returns the command line by which a process of the node is started. */
  public List<String> inGroup(List<String> command) {
    List<String> line = memory == null ? command : memory.join(command);
    return hdds().isEmpty() ? line : hdds().get(0).inGroup(line);
  }

  /**
   * Returns the used share of what a disk can do, 0 to 1: of an emulated HDD the share of its
   * limit, since the kernel does not count as busy what it holds back.
   */
  public double load(String disk, DiskTraffic done, double seconds) {
    return slow != null && isHdd(disk) ? done.share(slow, seconds) : done.busyShare(seconds);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
