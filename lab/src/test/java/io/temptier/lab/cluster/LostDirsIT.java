// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Real jobs whose fast local dir vanishes or breaks while they run, or is too small. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LostDirsIT {
  @AutoClose private final TieredCluster tiered;

  LostDirsIT() throws IOException, InterruptedException {
    tiered = new TieredCluster("lost-dirs-", false);
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

  @Test
  @NeedsLoopDisk
  void anArchiveLargerThanTheFastTierIsLocalized() throws Exception {
    Path home = Files.createDirectories(tiered.cluster.spec().home().resolve("small"));
    try (LoopDisk disk = LoopDisk.create(home, 100 << 20)) {
      tiered.restart("[NVME]", disk.path().resolve("fast").toString());
      tiered
          .input
          .sort(tiered.nextOutput(), "-archives", zeros(home.resolve("large.zip"), 150).toString())
          .unharmed();
      List<Path> dirs = tiered.cluster.localDirs(0);
      Predicate<Path> unpacked = file -> file.endsWith("large.zip/zeros");
      assertFalse(TieredCluster.holds(dirs.get(0), unpacked), "it does not fit there");
      assertTrue(
          dirs.stream().skip(1).anyMatch(dir -> TieredCluster.holds(dir, unpacked)),
          "it is not where it fits");
      // Before the disk goes, so does its user.
      tiered.cluster.stopNode(0);
    }
  }

  /** An archive that is small as long as nobody unpacks it. */
  private static Path zeros(Path archive, int megabytes) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.putNextEntry(new ZipEntry("zeros"));
      for (int i = 0; i < megabytes; i++) {
        zip.write(new byte[1 << 20]);
      }
      zip.closeEntry();
    }
    return archive;
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
