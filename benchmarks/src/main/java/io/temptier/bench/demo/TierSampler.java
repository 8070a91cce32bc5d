// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.cluster.Folders;
import io.temptier.tier.JournalTail;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeMarker;
import io.temptier.tier.PlacementJournal;
import io.temptier.tier.PlacementRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Watches the local dirs while jobs run: walks them twice a second, as {@code du} would, and
 * follows the journals of placements, which are deleted with their application. An open journal
 * stays readable after its deletion, so no record of a journal once seen is lost.
 */
final class TierSampler implements AutoCloseable {
  private static final long PERIOD_MILLIS = 500;

  private final Map<Path, Medium> dirs;
  private final Consumer<PlacementRecord> records;
  private final SeenFiles seen;
  private final long startNanos = System.nanoTime();
  private final List<TierSample> samples = new ArrayList<>();
  private final Map<Object, JournalTail> tails = new HashMap<>();
  private final Thread thread = new Thread(this::run, "tier-sampler");
  private final CountDownLatch stop = new CountDownLatch(1);

  /**
   * Starts to watch.
   *
   * @param dirs every local dir and its medium
   * @param records hears each journalled decision, on the sampler's thread
   * @param seen hears each file, on the sampler's thread
   */
  TierSampler(Map<Path, Medium> dirs, Consumer<PlacementRecord> records, SeenFiles seen) {
    this.dirs = Map.copyOf(dirs);
    this.records = records;
    this.seen = seen;
    thread.setDaemon(true);
    thread.start();
  }

  /** Hears of files on disk. */
  interface SeenFiles {
    /**
     * A file is there.
     *
     * @param medium of its dir
     * @param path relative to its dir
     * @param bytes its size now
     */
    void seen(Medium medium, Path dir, String path, long bytes);
  }

  /** Seconds since the start. */
  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** The samples so far, oldest first. */
  List<TierSample> samples() {
    synchronized (samples) {
      return List.copyOf(samples);
    }
  }

  /** Stops, after one last look. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    boolean last;
    do {
      last = stopped();
      look();
    } while (!last);
    for (JournalTail tail : tails.values()) {
      try {
        tail.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Waits for the next look; true when it will be the last. */
  private boolean stopped() {
    try {
      return stop.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void look() {
    Map<Medium, Long> bytes = new EnumMap<>(Medium.class);
    dirs.values().forEach(medium -> bytes.put(medium, 0L));
    dirs.forEach((dir, medium) -> bytes.merge(medium, walk(dir, medium), Long::sum));
    tails.values().forEach(this::poll);
    synchronized (samples) {
      samples.add(new TierSample(seconds(), bytes));
    }
  }

  /** Bytes of the files below {@code dir}, TempTier's own bookkeeping excepted. */
  private long walk(Path dir, Medium medium) {
    Path own = dir.resolve(NodeMarker.DIR);
    LongAdder sum = new LongAdder();
    try {
      Folders.walk(
          dir,
          (file, attributes) -> {
            String name = file.getFileName().toString();
            if (name.equals(PlacementJournal.APPLICATION_FILE)
                || (name.equals(NodeMarker.PLACEMENTS) && file.startsWith(own))) {
              follow(file, attributes);
            } else if (attributes.isRegularFile() && !file.startsWith(own)) {
              sum.add(attributes.size());
              seen.seen(medium, dir, dir.relativize(file).toString(), attributes.size());
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum.sum();
  }

  private void follow(Path journal, BasicFileAttributes attributes) {
    Object key = attributes.fileKey() == null ? journal : attributes.fileKey();
    if (!tails.containsKey(key)) {
      try {
        tails.put(key, JournalTail.open(journal));
      } catch (IOException e) {
        // Deleted since it was listed.
        return;
      }
    }
  }

  private void poll(JournalTail tail) {
    try {
      tail.poll(Long.MAX_VALUE, records);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
