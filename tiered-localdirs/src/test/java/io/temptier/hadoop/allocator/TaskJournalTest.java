// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
@Timeout(900)
class TaskJournalTest {
  private static final String APP_DIR = "usercache/ann/appcache/application_1_0001";

  private static final String JOURNAL = ".temptier-placements";

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "/b/c/" + APP_DIR + ", /b/c/" + APP_DIR,
    "/b/c/" + APP_DIR + "/s3a, /b/c/" + APP_DIR,
    "/,",
    "/tmp/hadoop-ann/mapred/local,",
    "/a/usercache/ann/appcache,",
    "/a/nmPrivate,"
  })
  void findsAnApplicationsOwnDirs(Path dir, @Nullable Path found) {
    assertEquals(Optional.ofNullable(found), TaskJournal.applicationDir(dir));
  }

  private static boolean settled(PlacementRecord line) {
    return line.event() == PlacementRecord.Event.SETTLED;
  }

  private static List<PlacementRecord> read(Path appDir) throws IOException {
    List<PlacementRecord> records = new ArrayList<>();
    try (JournalTail tail = JournalTail.open(appDir.resolve(JOURNAL))) {
      tail.poll(1 << 20, records::add);
    }
    return records;
  }

  @Test
  void aTaskThatEndsAtOnceHasItsPlacementsInItsApplicationsDir() throws Exception {
    Path first = Files.createDirectories(temp.resolve("a").resolve(APP_DIR));
    Path second = Files.createDirectories(temp.resolve("b").resolve(APP_DIR));
    List<PlacementRecord> records = List.of();
    // Its end waits seconds for the disk: where a busy machine takes longer, another one tries.
    for (int tries = 0;
        tries < 5 && records.stream().noneMatch(TaskJournalTest::settled);
        tries++) {
      try (TaskProcess task = new TaskProcess(first + "," + second)) {
        task.ask();
      }
      records = Files.exists(first.resolve(JOURNAL)) ? read(first) : List.of();
    }
    assertEquals("output/attempt_1_0001_m_000000_0/file.out", records.get(0).request().path());
    assertEquals("application_1_0001", records.get(0).request().application());
    PlacementRecord last = records.get(records.size() - 1);
    assertEquals(PlacementRecord.Event.SETTLED, last.event(), "its end completes its files");
    assertEquals(10, last.bytes());
    Path dir = records.get(0).placement().dir().path();
    assertTrue(List.of(temp.resolve("a"), temp.resolve("b")).contains(dir), dir.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "second"})
  void aJournalEndsWithTheDirsItIsOf(String root) throws IOException {
    Path dir = Files.createDirectories(temp.resolve(root).resolve(APP_DIR));
    Configuration conf = new Configuration(false);
    conf.set("journal.test.dirs", dir.toString());
    LocalDirAllocator allocator = new TieredLocalDirAllocator("journal.test.dirs");
    assertNotNull(allocator.getLocalPathForWrite("output/file.out", 10, conf));
    // Its writer has the file open, which LeakCheck finds unless it is closed.
    Eventually.holds("a line", () -> Files.exists(dir.resolve(JOURNAL)));
  }

  @Test
  @NeedsLoopDisk
  void aSlowDiskListedFirstAndFrozenStopsNoFileOfAFastOne() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, 16 << 20)) {
      Path fastRoot = Files.createDirectories(temp.resolve("fast"));
      NodeTiers unused =
          Layouts.publish(fastRoot, disk.path(), Reserve.DEFAULT, TierSettings.DEFAULT);
      Path slowDir = Files.createDirectories(disk.path().resolve(APP_DIR));
      Path fastDir = Files.createDirectories(fastRoot.resolve(APP_DIR));
      TaskProcess task = new TaskProcess(slowDir + "," + fastDir);
      try {
        disk.freeze();
        Path placed = task.place();
        assertTrue(placed.startsWith(fastDir), placed::toString);
      } finally {
        disk.thaw();
        task.kill();
      }
    }
  }
}
