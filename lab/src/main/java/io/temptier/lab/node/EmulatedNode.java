// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.DirtyPages;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.MemoryGroup;
import io.temptier.lab.testbed.Opened;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The disks and the memory bound of one emulated node. They lie in the folder of a run, with which
 * they go whatever becomes of this JVM; closing removes them.
 */
public final class EmulatedNode implements WorkerNode {
  private final Opened opened = new Opened();
  private final NodeSpec spec;
  private final List<EmulatedDisk> hdds = new ArrayList<>();
  private @Nullable EmulatedDisk fast;
  private @Nullable MemoryGroup memory;

  private EmulatedNode(NodeSpec spec) {
    this.spec = spec;
  }

  /**
   * Makes one, its disks not slow yet.
   *
   * @throws IOException when the system refuses; nothing is left then
   */
  public static EmulatedNode create(NodeSpec spec, Path home) throws IOException {
    return Opened.ready(new EmulatedNode(spec), node -> node.make(home));
  }

  private void make(Path home) throws IOException {
    memory = MemoryGroup.create(home, spec.memoryBytes()).map(opened::push).orElse(null);
    DirtyPages.bound(home);
    fast = opened.push(EmulatedDisk.create(home, WorkerNode.fastName(0), spec.fastBytes()));
    for (int i = 0; i < spec.hdds(); i++) {
      hdds.add(opened.push(EmulatedDisk.create(home, WorkerNode.hddName(i), spec.hddBytes())));
    }
  }

  @Override
  public List<EmulatedDisk> hdds() {
    return List.copyOf(hdds);
  }

  public EmulatedDisk fast() {
    return Objects.requireNonNull(fast, "made by create");
  }

  @Override
  public List<EmulatedDisk> fastDisks() {
    return List.of(fast());
  }

  @Override
  public void slowDown() throws IOException {
    for (EmulatedDisk hdd : hdds) {
      hdd.limit(spec.hddSpeed());
    }
  }

  /** Where the kernel slows them for every process. */
  @Override
  public void speedUp() throws IOException {
    for (EmulatedDisk hdd : hdds) {
      hdd.lift();
    }
  }

  @Override
  public List<String> inGroup(List<String> command) {
    List<String> line = memory == null ? command : memory.inGroup(command);
    return hdds.get(0).inGroup(line);
  }

  /** Of an HDD the share of its limit: the kernel does not count as busy what it holds back. */
  @Override
  public double load(String disk, DiskTraffic done, double seconds) {
    return WorkerNode.isHdd(disk) ? done.share(spec.hddSpeed(), seconds) : done.busyShare(seconds);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
