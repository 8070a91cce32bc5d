// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Watches the local dirs while jobs run: walks them twice a second, as {@code du} would, and
 * follows the journals of placements, which are deleted with their application. An open journal
 * stays readable after its deletion, so no record of a journal once seen is lost.
 */
final class TierSampler extends Sampler {
  private static final long PERIOD_MILLIS = 500;

  private final Map<Path, Medium> dirs;
  private final List<PlacementRecord> records = new ArrayList<>();
  private final List<TierSample> samples = new ArrayList<>();
  private final Map<Object, JournalTail> tails = new HashMap<>();

  /** Starts to watch. */
  TierSampler(Map<Path, Medium> dirs) {
    super("tier-sampler", PERIOD_MILLIS);
    this.dirs = Map.copyOf(dirs);
    start();
  }

  /** All samples, to be asked once it is closed. */
  List<TierSample> samples() {
    return List.copyOf(samples);
  }

  /** All that the journals told, to be asked once it is closed. */
  List<PlacementRecord> records() {
    return List.copyOf(records);
  }

  @Override
  protected void look() throws IOException {
    Map<Medium, Long> bytes = new EnumMap<>(Medium.class);
    for (Map.Entry<Path, Medium> dir : dirs.entrySet()) {
      bytes.merge(dir.getValue(), walk(dir.getKey()), Long::sum);
    }
    for (JournalTail tail : tails.values()) {
      tail.poll(Long.MAX_VALUE, records::add);
    }
    samples.add(new TierSample(DemoResult.tenths(seconds()), bytes));
  }

  /** Bytes of the files below {@code dir}, TempTier's own bookkeeping excepted. */
  private long walk(Path dir) throws IOException {
    Path own = dir.resolve(NodeMarker.DIR);
    LongAdder sum = new LongAdder();
    Folders.walk(
        dir,
        (file, attributes) -> {
          String name = file.getFileName().toString();
          if (name.equals(PlacementJournal.APPLICATION_FILE)
              || (name.equals(PlacementJournal.NODE_FILE) && file.startsWith(own))) {
            follow(file, attributes);
          } else if (attributes.isRegularFile() && !file.startsWith(own)) {
            sum.add(attributes.size());
          }
        });
    return sum.sum();
  }

  private void follow(Path journal, BasicFileAttributes attributes) {
    Object key = attributes.fileKey() == null ? journal : attributes.fileKey();
    try {
      if (!tails.containsKey(key)) {
        tails.put(key, JournalTail.open(journal));
      }
    } catch (IOException e) {
      // Deleted since it was listed.
    }
  }

  @Override
  public void close() {
    super.close();
    for (JournalTail tail : tails.values()) {
      try {
        tail.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
