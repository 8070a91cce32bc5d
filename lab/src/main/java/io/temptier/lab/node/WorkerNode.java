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

  static boolean isHdd(String name) {
    return name.startsWith("hdd");
  }

  List<? extends Disk> fastDisks();

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

  List<String> inGroup(List<String> command);

  /**
   * How much of what a disk can do it did.
   *
   * @return 0 to 1
   */
  double load(String disk, DiskTraffic done, double seconds);
}
