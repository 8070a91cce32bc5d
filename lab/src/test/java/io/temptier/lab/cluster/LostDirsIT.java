// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Real jobs whose fast local dir vanishes or breaks while they run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LostDirsIT {
  @AutoClose private final TieredCluster tiered;

  LostDirsIT() throws IOException, InterruptedException {
    tiered = new TieredCluster("lost-dirs-");
  }

  @Test
  void aLocalDirDeletedMidJobDoesNotFailTheJob() throws Exception {
    tiered.restart("[NVME]", "vanishing");
    Path fast = tiered.cluster.localDirs(0).get(0);
    BackgroundSort job = sortWithAnOutputOnTheFirstDir();
    // Moved first, so that it goes at one instant and nobody adds to it meanwhile.
    Path gone = fast.resolveSibling("gone");
    Files.move(fast, gone);
    Folders.delete(gone);
    job.result();
  }

  @Test
  @NeedsLoopDisk
  void aDiskThatTurnsReadOnlyMidJobDoesNotFailTheJob() throws Exception {
    Path home = Files.createDirectories(tiered.cluster.spec().home().resolve("loop"));
    try (LoopDisk disk = LoopDisk.create(home, 256 << 20)) {
      tiered.restart("[NVME]", disk.path().resolve("fast").toString());
      BackgroundSort job = sortWithAnOutputOnTheFirstDir();
      disk.coverReadOnly();
      job.result();
      // Before the disk goes, so does its user.
      tiered.cluster.stopNode(0);
    }
  }

  /** A sort, one of whose maps has put its output on the first dir. */
  private BackgroundSort sortWithAnOutputOnTheFirstDir() throws Exception {
    Path dir = tiered.cluster.localDirs(0).get(0);
    BackgroundSort job =
        tiered.input.sort(
            tiered.nextOutput(),
            // One map after the other, so that some are yet to come: where the output of a job's
            // only map is lost, stock's reducers give up one after the other, and the job may fail
            // (ShuffleSchedulerImpl.checkReducerHealth).
            "-Dmapreduce.job.running.map.limit=1",
            // A reducer that asks for all outputs of a node at once gets none where one is missing,
            // of stock's handler, too, and by default gives up before it has told of it.
            "-Dmapreduce.reduce.shuffle.maxfetchfailures=1",
            // YARN retries at once, and makes every container's folder on every dir that it has not
            // yet found to be bad: stock fails attempts, too, until its next check.
            "-Dmapreduce.map.maxattempts=20",
            "-Dmapreduce.reduce.maxattempts=20");
    job.await(
        "a map output below " + dir,
        () -> TieredCluster.holds(dir, file -> file.endsWith("file.out")));
    return job;
  }
}
