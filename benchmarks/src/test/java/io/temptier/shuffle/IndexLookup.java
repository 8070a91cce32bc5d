// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.shuffle.lane.Lanes;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.MapOutputCache;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.OutputIndex;
import io.temptier.shuffle.output.OutputLocator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.StockIndexCache;

/** Finds where a partition of a map output lies, as one of the shuffle handlers does. */
interface IndexLookup {
  /**
   * Finds a partition.
   *
   * @param output its number among those of the benchmark
   * @throws IOException when it is not there
   */
  IndexRecord find(int output, int partition) throws IOException;

  /** Forgets an output, so that its index is read again. */
  void forget(int output);

  /** Stock's index cache; the path, which stock has in another one, is known beforehand. */
  static IndexLookup stock(Path dir, List<MapOutputId> outputs) {
    List<org.apache.hadoop.fs.Path> indexes =
        outputs.stream()
            .map(id -> dir.resolve(id.relativePath()).resolve(MapOutputId.INDEX))
            .map(index -> new org.apache.hadoop.fs.Path(index.toUri()))
            .toList();
    StockIndexCache cache = new StockIndexCache(new JobConf());
    return new IndexLookup() {
      @Override
      public IndexRecord find(int output, int partition) throws IOException {
        MapOutputId id = outputs.get(output);
        return cache.find(id.attempt(), partition, indexes.get(output), id.user());
      }

      @Override
      public void forget(int output) {
        cache.forget(outputs.get(output).attempt());
      }
    };
  }

  /** Ours, which finds the path, too. */
  static IndexLookup tiered(Lanes lanes, List<MapOutputId> outputs) {
    OutputLocator locator =
        new OutputLocator(
            lanes,
            path -> {
              throw new IOException("no " + path);
            },
            new SegmentMemory(OutputIndex.LARGEST_BYTES),
            new SegmentMemory(OutputIndex.LARGEST_BYTES));
    MapOutputCache cache = new MapOutputCache(locator, 16 << 20, Duration.ofMinutes(5));
    return new IndexLookup() {
      @Override
      public IndexRecord find(int number, int partition) {
        return cache.find(outputs.get(number)).join().index().getIndex(partition);
      }

      @Override
      public void forget(int output) {
        cache.forget(outputs.get(output));
      }
    };
  }
}
