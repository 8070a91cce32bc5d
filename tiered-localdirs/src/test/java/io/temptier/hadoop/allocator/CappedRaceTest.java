// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.capacity.DirectoryUsage;
import io.temptier.tier.room.capacity.PublishedState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The fast tier is a folder with a cap of 512 MB. */
class CappedRaceTest extends WriterRace {
  @Override
  LocalDir makeFast() {
    return Layouts.dir(temp.resolve("fast"), Medium.NVME, TIER_BYTES);
  }

  /**
   * A NodeManager publishes its walks. Without them each writer guesses how old the walks of others
   * are, and one that waits for a core longer than that would make the machine fail the test.
   */
  @Test
  void tieredWritersNeverExceedTheCap() throws Exception {
    ScheduledExecutorService walks = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> unused =
          walks.scheduleWithFixedDelay(this::publishWalk, 0, 20, TimeUnit.MILLISECONDS);
      Path state = fast.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
      Eventually.holds("a walk is published", () -> Files.exists(state));
      // What was walked and is still claimed counts twice for a moment.
      neverOvercommit(TIER_BYTES, TIER_BYTES / 2);
    } finally {
      walks.shutdownNow();
      assertTrue(walks.awaitTermination(5, TimeUnit.MINUTES));
    }
  }

  private void publishWalk() {
    long now = System.currentTimeMillis();
    DirectoryUsage.Usage usage = DirectoryUsage.measure(fast, System::currentTimeMillis);
    try {
      PublishedState.of(now, usage, 0, 0)
          .write(fast.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
