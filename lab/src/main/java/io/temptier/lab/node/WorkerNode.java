// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskTraffic;
import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The disks of one worker node that a cluster is started on: emulated ones, or the user's. */
public interface WorkerNode extends Closeable {
  /** The name of a fast disk; counted from 0. */
  static String fastName(int number) {
    return "nvme" + number;
  }

  /** The name of a slow disk; counted from 0. */
  static String hddName(int number) {
    return "hdd" + number;
  }

  /** Whether a name is that of a slow disk. */
  static boolean isHdd(String name) {
    return name.startsWith("hdd");
  }

  /** The fast disks, the preferred one first. */
  List<? extends Disk> fastDisks();

  /** The slow disks. */
  List<? extends Disk> hdds();

  /** All disks by their names, fast ones first; a map of the caller's own. */
  default Map<String, Disk> disks() {
    Map<String, Disk> disks = new LinkedHashMap<>();
    fastDisks().forEach(disk -> disks.put(fastName(disks.size()), disk));
    int fast = disks.size();
    hdds().forEach(disk -> disks.put(hddName(disks.size() - fast), disk));
    return disks;
  }

  /** Makes the slow disks slow, where that is up to us. */
  void slowDown() throws IOException;

  /** Makes the slow disks fast for a while, where that is up to us. */
  void speedUp() throws IOException;

  /** What to start a process of the node with. */
  List<String> inGroup(List<String> command);

  /**
   * How much of what a disk can do it did.
   *
   * @param disk its name
   * @param done in that time
   * @return 0 to 1
   */
  double load(String disk, DiskTraffic done, double seconds);
}
