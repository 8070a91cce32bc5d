// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.ControlGroup;
import io.temptier.lab.testbed.DirtyPages;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.OwnDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The disks of one worker node that a cluster is started on: emulated ones with a bound of memory,
 * or the user's. Closing removes what was made.
 */
public final class WorkerNode implements Closeable {
  private final Opened opened = new Opened();
  private final @Nullable DiskSpeed slow;
  private final List<Disk> fastDisks = new ArrayList<>();
  private final List<Disk> hdds = new ArrayList<>();
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
          DirtyPages.bound(home);
          node.fastDisks.add(
              node.opened.push(EmulatedDisk.create(home, fastName(0), spec.fastBytes())));
          for (int i = 0; i < spec.hdds(); i++) {
            node.hdds.add(node.opened.push(EmulatedDisk.create(home, hddName(i), spec.hddBytes())));
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
          for (Path dir : fastDirs) {
            node.fastDisks.add(node.opened.push(OwnDisk.create(dir)));
          }
          for (Path dir : slowDirs) {
            node.hdds.add(node.opened.push(OwnDisk.create(dir)));
          }
        });
  }

  private static String fastName(int number) {
    return "nvme" + number;
  }

  private static String hddName(int number) {
    return "hdd" + number;
  }

  public static boolean isHdd(String name) {
    return name.startsWith("hdd");
  }

  public List<Disk> fastDisks() {
    return List.copyOf(fastDisks);
  }

  public List<Disk> hdds() {
    return List.copyOf(hdds);
  }

  /** All disks by their names, fast ones first; a map of the caller's own. */
  public Map<String, Disk> disks() {
    Map<String, Disk> disks = new LinkedHashMap<>();
    for (int i = 0; i < fastDisks.size(); i++) {
      disks.put(fastName(i), fastDisks.get(i));
    }
    for (int i = 0; i < hdds.size(); i++) {
      disks.put(hddName(i), hdds.get(i));
    }
    return disks;
  }

  /** Makes the slow disks slow, where that is up to us. */
  public void slowDown() throws IOException {
    if (slow != null) {
      for (Disk hdd : hdds) {
        hdd.limit(slow);
      }
    }
  }

  /** Makes the slow disks fast for a while, where the kernel slows them for every process. */
  public void speedUp() throws IOException {
    for (Disk hdd : hdds) {
      hdd.lift();
    }
  }

  /** What to start a process of the node with. */
  public List<String> inGroup(List<String> command) {
    List<String> line = memory == null ? command : memory.join(command);
    return hdds.isEmpty() ? line : hdds.get(0).inGroup(line);
  }

  /**
   * How much of what a disk can do it did, 0 to 1: of an emulated HDD the share of its limit, since
   * the kernel does not count as busy what it holds back.
   */
  public double load(String disk, DiskTraffic done, double seconds) {
    return slow != null && isHdd(disk) ? done.share(slow, seconds) : done.busyShare(seconds);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
