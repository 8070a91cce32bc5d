// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.OwnDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Disks as the user has them, with a folder of the run's own on each. */
public final class OwnNode implements WorkerNode {
  private final Opened opened = new Opened();
  private final List<OwnDisk> fast = new ArrayList<>();
  private final List<OwnDisk> hdds = new ArrayList<>();

  private OwnNode() {}

  /**
   * Makes a folder in each dir.
   *
   * @throws IOException when one of them cannot be made; none is left then
   */
  public static OwnNode create(List<Path> fastDirs, List<Path> slowDirs) throws IOException {
    return Opened.ready(
        new OwnNode(),
        node -> {
          for (Path dir : fastDirs) {
            node.fast.add(node.opened.push(OwnDisk.create(dir)));
          }
          for (Path dir : slowDirs) {
            node.hdds.add(node.opened.push(OwnDisk.create(dir)));
          }
        });
  }

  @Override
  public List<Disk> fastDisks() {
    return List.copyOf(fast);
  }

  @Override
  public List<Disk> hdds() {
    return List.copyOf(hdds);
  }

  /** Nothing: they are as slow as they are. */
  @Override
  public void slowDown() {}

  /** Nothing: they are as slow as they are. */
  @Override
  public void speedUp() {}

  @Override
  public List<String> inGroup(List<String> command) {
    return command;
  }

  @Override
  public double load(String disk, DiskTraffic done, double seconds) {
    return done.busyShare(seconds);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
