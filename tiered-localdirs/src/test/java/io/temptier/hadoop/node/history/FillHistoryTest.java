// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.HistoryFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FillHistoryTest {
  @TempDir Path temp;
  private long capacity;
  private long free;

  private Map<Medium, Map<TierCounter, Long>> tiers() {
    return Map.of(
        Medium.NVME, Map.of(TierCounter.CAPACITY_BYTES, capacity, TierCounter.FREE_BYTES, free));
  }

  private String line(FillHistory history) {
    List<String> lines = history.lines(1_000);
    assertEquals(1, lines.size());
    return lines.get(0);
  }

  @Test
  void theFullestMomentIsOneInWhichTheDirsWereRead() {
    FillHistory history = new FillHistory(new HistoryFile(List.of(temp), "fill", 10), this::tiers);
    history.round(1);
    capacity = 100;
    free = 40;
    history.round(2);
    free = 90;
    history.round(3);
    capacity = 0;
    free = 0;
    String line = line(history);
    assertTrue(line.contains("\"CapacityBytes\":100,\"FreeBytes\":40"), line);
  }

  @Test
  void nothingIsWrittenBeforeTheDirsWereLookedAt() {
    HistoryFile file = new HistoryFile(List.of(temp), "fill", 10);
    FillHistory history = new FillHistory(file, Map::of);
    history.round(1);
    history.end(400_000);
    assertEquals(List.of(), file.last(10));
  }
}
