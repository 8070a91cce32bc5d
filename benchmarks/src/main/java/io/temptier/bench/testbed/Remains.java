// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.bench.cluster.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Removes what a run leaves, by what the kernel knows of it and not by notes of ours. */
final class Remains {
  private Remains() {}

  /**
   * Ends Ceph's daemons and the run's own group of processes, lifts the limits, unmounts, gives the
   * loop devices back, and deletes the folder. Harmless when somebody else does the same, or
   * nothing is left.
   *
   * @param home the folder of a run that has ended
   * @throws IOException when something refuses to go; the rest may be there too then
   */
  static void remove(Path home) throws IOException {
    CephProcess.endAll(home);
    MemoryGroup.remove(Throttle.CGROUPS, home);
    MergedMount.unmountAll(home);
    Optional<Throttle> throttle = Throttle.find(Throttle.CGROUPS, home);
    for (LoopDevice device : LoopDevice.at(home)) {
      if (throttle.isPresent()) {
        throttle.get().lift(device.numbers());
      }
      device.release();
    }
    DirtyPages.restore(home);
    Folders.delete(home);
  }

  /** Unmounts and gives back the loop devices over one image. */
  static void releaseDisks(Path image) throws IOException {
    for (LoopDevice device : LoopDevice.at(image)) {
      device.release();
    }
  }
}
