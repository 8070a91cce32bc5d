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
package io.temptier.bench.node;

import io.temptier.bench.testbed.Disk;
import io.temptier.bench.testbed.DiskTraffic;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.OwnDisk;
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
