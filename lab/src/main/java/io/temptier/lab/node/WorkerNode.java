// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.ControlGroup;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.PageCache;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The disks of one worker node that a cluster is started on, emulated, with a bound of memory.
 * Closing removes what was made.
 */
public final class WorkerNode implements Closeable {
  private static final String FAST = "nvme";
  private static final String HDD = "hdd";

  private final Opened opened = new Opened();
  private final DiskSpeed slow;
  private final Map<String, EmulatedDisk> disks = new LinkedHashMap<>();
  private @Nullable ControlGroup memory;

  private WorkerNode(DiskSpeed slow) {
    this.slow = slow;
  }

  /**
   * Makes one, its disks not slow yet.
   *
   * @param home the folder of a run, with which it goes whatever becomes of this JVM
   * @throws IOException when the system refuses; nothing is left then
   */
  public static WorkerNode create(NodeSpec spec, Path home) throws IOException {
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

  private void add(String name, EmulatedDisk disk) {
    disks.put(name, opened.push(disk));
  }

  public static boolean isHdd(String name) {
    return name.startsWith(HDD);
  }

  public EmulatedDisk fast() {
    return Objects.requireNonNull(disks.get(FAST + 0));
  }

  public List<EmulatedDisk> hdds() {
    return disks.entrySet().stream()
        .filter(disk -> isHdd(disk.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** All disks by their names, fast ones first; a map of the caller's own. */
  public Map<String, EmulatedDisk> disks() {
    return new LinkedHashMap<>(disks);
  }

  /** Makes the slow disks slow. */
  public void slowDown() throws IOException {
    for (EmulatedDisk hdd : hdds()) {
      hdd.limit(slow);
    }
  }

  /** Makes the slow disks fast for a while, where the kernel slows them for every process. */
  public void speedUp() throws IOException {
    for (EmulatedDisk hdd : hdds()) {
      hdd.lift();
    }
  }

  /** Returns the command line by which a process of the node is started. */
  public List<String> inGroup(List<String> command) {
    List<String> line = memory == null ? command : memory.join(command);
    return hdds().get(0).inGroup(line);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
