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
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.JournalTail;
import io.temptier.tier.PlacementRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskJournalTest {
  private static final String APP_DIR = "usercache/ann/appcache/application_1_0001";

  @TempDir Path temp;

  private static List<Path> paths(String... paths) {
    return List.of(paths).stream().map(Path::of).toList();
  }

  @Test
  void findsTheApplicationsOwnDirs() {
    assertEquals(
        paths("/a/" + APP_DIR, "/b/c/" + APP_DIR),
        TaskJournal.applicationDirs(
            paths("/a/" + APP_DIR, "/b/c/" + APP_DIR + "/s3a", "/a/" + APP_DIR + "/s3a")));
  }

  @Test
  void findsNoneElsewhere() {
    assertEquals(
        List.of(),
        TaskJournal.applicationDirs(
            paths(
                "/", "/tmp/hadoop-ann/mapred/local", "/a/usercache/ann/appcache", "/a/nmPrivate")));
  }

  @Test
  void aTasksPlacementsAreWrittenDownInItsApplicationsDir() throws IOException {
    Path first = Files.createDirectories(temp.resolve("a").resolve(APP_DIR));
    Path second = Files.createDirectories(temp.resolve("b").resolve(APP_DIR));
    Configuration conf = new Configuration();
    conf.set("test.local.dirs", first + "," + second);
    conf.set("temptier.reserve", "1m");
    TieredLocalDirAllocator allocator = new TieredLocalDirAllocator("test.local.dirs");
    allocator.getLocalPathForWrite("output/attempt_1_0001_m_000000_0/file.out", 10, conf);

    List<PlacementRecord> records = new ArrayList<>();
    try (JournalTail tail = JournalTail.open(first.resolve(".temptier-placements"))) {
      tail.poll(1 << 20, records::add);
    }
    assertEquals(1, records.size());
    assertEquals("output/attempt_1_0001_m_000000_0/file.out", records.get(0).path());
    assertEquals("application_1_0001", records.get(0).application());
    assertTrue(
        List.of(temp.resolve("a").toString(), temp.resolve("b").toString())
            .contains(records.get(0).dir()),
        records.get(0).dir());
  }
}
