// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.bench.jmh.TierBenchmark;
import io.temptier.lab.testbed.Folders;
import io.temptier.shuffle.lane.Lanes;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.MapOutputCache;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.OutputIndex;
import io.temptier.shuffle.output.OutputLocator;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapred.StockIndexCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Where a partition lies, asked of a shuffle handler's index cache. Ours answers with the output's
 * path as well, for which stock has a second cache that is not asked here.
 */
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class IndexLookupBenchmark extends TierBenchmark {
  private static final int MAPS = 64;
  private static final int PARTITION_BYTES = 64 << 10;

  @Param({"stock", "tiered"})
  public String handler;

  /** Reducers of the job: 24 bytes of the index each. */
  @Param({"100", "2000"})
  public int partitions;

  private Path root;
  private Lanes lanes;
  private IndexLookup subject;
  private int turn;

  /** Writes indexes as map tasks do, and has each looked up once. */
  @Setup
  public void writeIndexes() throws IOException {
    root = Files.createTempDirectory("temptier-jmh");
    List<MapOutputId> outputs =
        IntStream.range(0, MAPS)
            .mapToObj(
                map ->
                    MapOutputId.of(
                        "user",
                        "application_1700000000000_0001",
                        "attempt_1700000000000_0001_m_%06d_0".formatted(map)))
            .toList();
    SpillRecord index = new SpillRecord(partitions);
    for (int i = 0; i < partitions; i++) {
      index.putIndex(
          new IndexRecord((long) i * PARTITION_BYTES, PARTITION_BYTES, PARTITION_BYTES), i);
    }
    for (MapOutputId id : outputs) {
      Path folder = Files.createDirectories(root.resolve(id.relativePath()));
      Files.createFile(folder.resolve(MapOutputId.DATA));
      Path file = folder.resolve(MapOutputId.INDEX);
      index.writeToFile(new org.apache.hadoop.fs.Path(file.toUri()), new JobConf());
    }
    LocalDir dir = LocalDir.of(root, Medium.NVME, LocalDir.NO_CAP, "benchmark");
    lanes =
        new Lanes(
            TierLayout.of(List.of(dir), List.of(Medium.values()), any -> Reserve.DEFAULT),
            new KernelClassifier(),
            any -> 1);
    subject =
        handler.equals("stock")
            ? IndexLookup.stock(root, outputs)
            : IndexLookup.tiered(lanes, outputs);
    for (int output = 0; output < MAPS; output++) {
      IndexRecord unused = subject.find(output, 0);
    }
  }

  @TearDown
  public void removeIndexes() throws IOException {
    lanes.close();
    Folders.delete(root);
  }

  /** The number of an output; each partition has its turn. */
  private int next() {
    turn = (turn + 1) % (MAPS * partitions);
    return turn % MAPS;
  }

  /** Of an output that was asked for before. */
  @Benchmark
  public IndexRecord known() throws IOException {
    return subject.find(next(), turn / MAPS);
  }

  /** Of one that was not: its index is read, from the page cache. */
  @Benchmark
  public IndexRecord unknown() throws IOException {
    int output = next();
    subject.forget(output);
    return subject.find(output, turn / MAPS);
  }

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
}
