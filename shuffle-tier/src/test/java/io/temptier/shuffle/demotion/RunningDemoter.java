// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.settings.DemotionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Runs the daemon over folders that look like small disks: a fast one and a slow one below it. */
abstract class RunningDemoter extends TwoTiers {
  static final long MB = TestNode.MB;
  static final DemotionSettings SETTINGS = TestNode.settings(0.8, 0.5, 1L << 30);

  final FolderDisks disks = new FolderDisks();
  volatile MoveStep.Observer observer = step -> {};
  private @Nullable Demoter demoter;
  private int rounds;

  @BeforeEach
  final void sizes() {
    disks.with(fast.path(), 10 * MB).with(slow.path(), 1000 * MB);
  }

  final LocalDir disk(Medium medium, String name, long bytes) throws IOException {
    LocalDir dir = node.dir(medium, name, LocalDir.NO_CAP);
    disks.with(dir.path(), bytes);
    return dir;
  }

  /** Writes outputs of a MB into the fast dir, numbered from 0. */
  final void writeOutputs(int outputs) throws IOException {
    for (int number = 0; number < outputs; number++) {
      node.write(fast, number, MB);
    }
  }

  @AfterEach
  void stop() {
    if (demoter != null) {
      demoter.close();
    }
  }

  final Demoter start(DemotionSettings settings) {
    Demoter started =
        node.demoter(settings, disks, step -> observer.reached(step), Duration.ofMinutes(1));
    demoter = started;
    started.start();
    return started;
  }

  final Demoter start() {
    return start(SETTINGS);
  }

  void awaitCount(Demoter of, DemotionCounter counter, long value) throws Exception {
    Eventually.holds(
        counter + "=" + value,
        () -> {
          of.wake();
          return of.get(counter) >= value;
        });
    assertEquals(value, of.get(counter), counter.name());
  }

  /** Waits until the daemon has looked at everything anew, a few times. */
  void awaitRounds(Demoter of) throws Exception {
    for (int round = 0; round < 3; round++) {
      String application = "application_1700000000000_9" + rounds++;
      Path folder = fast.path().resolve(TestNode.id(application, 0).relativePath());
      Files.createDirectories(folder);
      Files.createSymbolicLink(folder.resolve(Candidate.LINK), folder);
      long before = of.get(DemotionCounter.LEFTOVERS_REMOVED);
      node.users.put(application, TestNode.USER);
      awaitCount(of, DemotionCounter.LEFTOVERS_REMOVED, before + 1);
    }
  }
}
