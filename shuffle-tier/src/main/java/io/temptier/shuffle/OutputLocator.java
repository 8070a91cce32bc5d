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
package io.temptier.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds map outputs on the local dirs: tier by tier, fastest first, so that what lies on the fast
 * tier is found without asking a slow disk. The disks of one tier are asked side by side, each on
 * its lane. Index and data may lie in different dirs.
 */
final class OutputLocator {
  /** Finds a file as stock Hadoop does, in every dir the NodeManager still reads. */
  @FunctionalInterface
  interface StockLookUp {
    /**
     * The path of an existing file.
     *
     * @throws IOException when there is none; its message goes to the fetcher
     */
    Path find(String relativePath) throws IOException;
  }

  private final Lanes lanes;
  private final StockLookUp stock;
  private final JobConf conf;

  /**
   * A locator.
   *
   * @param lanes the devices
   * @param stock asked when no dir of the layout has the output
   * @param conf for reading indexes
   */
  OutputLocator(Lanes lanes, StockLookUp stock, JobConf conf) {
    this.lanes = lanes;
    this.stock = stock;
    this.conf = conf;
  }

  /**
   * Finds an output and reads its index. Completes exceptionally, with an {@link IOException}, when
   * it is not there or its index cannot be read.
   */
  CompletableFuture<MapOutput> find(MapOutputId id) {
    Search search = new Search(id);
    search.askTier(0);
    return search.found;
  }

  private final class Search {
    private final MapOutputId id;
    private final Path folder;
    private final CompletableFuture<MapOutput> found = new CompletableFuture<>();
    private @Nullable SpillRecord index;
    private @Nullable IOException indexError;
    private @Nullable Path data;

    Search(MapOutputId id) {
      this.id = id;
      this.folder = id.relativePath();
    }

    void askTier(int tier) {
      if (found.isDone()) {
        return;
      }
      if (tier == lanes.tiers().size()) {
        askStock();
        return;
      }
      List<Lanes.Stop> stops = lanes.tiers().get(tier);
      AtomicInteger open = new AtomicInteger(stops.size());
      for (Lanes.Stop stop : stops) {
        submit(
            stop.lane(),
            () -> {
              for (Path dir : stop.dirs()) {
                look(dir);
              }
              if (open.decrementAndGet() == 0) {
                askTier(tier + 1);
              }
            });
      }
    }

    private void submit(DeviceLane lane, Runnable work) {
      try {
        lane.submit(
            LaneQueue.Job.lookUp(
                () -> {
                  try {
                    work.run();
                  } catch (RuntimeException | Error e) {
                    found.completeExceptionally(new IOException(e));
                  }
                }));
      } catch (RejectedExecutionException e) {
        found.completeExceptionally(new IOException("The shuffle handler is stopping", e));
      }
    }

    private void look(Path dir) {
      if (found.isDone()) {
        return;
      }
      Path attempt = dir.resolve(folder);
      Path indexFile = attempt.resolve(MapOutputId.INDEX);
      if (!hasIndex() && Files.exists(indexFile)) {
        readIndex(indexFile);
      }
      Path dataFile = attempt.resolve(MapOutputId.DATA);
      // A link left by a demotion counts, without asking the slow disk it points to.
      if (!hasData() && (Files.exists(dataFile) || Files.isSymbolicLink(dataFile))) {
        foundData(dataFile);
      }
    }

    private void readIndex(Path file) {
      try {
        SpillRecord read = new SpillRecord(hadoop(file), conf, id.user());
        synchronized (this) {
          index = index == null ? read : index;
        }
        completeIfWhole();
      } catch (IOException | RuntimeException e) {
        synchronized (this) {
          indexError = new IOException("Error Reading IndexFile", e);
        }
      }
    }

    private void foundData(Path file) {
      synchronized (this) {
        data = data == null ? file : data;
      }
      completeIfWhole();
    }

    private synchronized boolean hasIndex() {
      return index != null;
    }

    private synchronized boolean hasData() {
      return data != null;
    }

    private void completeIfWhole() {
      SpillRecord wholeIndex;
      Path wholeData;
      synchronized (this) {
        wholeIndex = index;
        wholeData = data;
      }
      if (wholeIndex != null && wholeData != null) {
        found.complete(
            new MapOutput(wholeData, lanes.of(target(wholeData)), wholeIndex, new WarmBlocks()));
      }
    }

    /** Stock's own search has the last word, and its error is the one that fetchers know. */
    private void askStock() {
      IOException error;
      synchronized (this) {
        error = indexError;
      }
      if (error != null) {
        found.completeExceptionally(error);
        return;
      }
      try {
        Path indexFile = stock.find(folder + "/" + MapOutputId.INDEX);
        Path dataFile = stock.find(folder + "/" + MapOutputId.DATA);
        if (!hasIndex()) {
          SpillRecord read;
          try {
            read = new SpillRecord(hadoop(indexFile), conf, id.user());
          } catch (IOException | RuntimeException e) {
            throw new IOException("Error Reading IndexFile", e);
          }
          synchronized (this) {
            index = read;
          }
        }
        foundData(dataFile);
      } catch (IOException e) {
        found.completeExceptionally(e);
      }
    }
  }

  private static org.apache.hadoop.fs.Path hadoop(Path file) {
    return new org.apache.hadoop.fs.Path(file.toString());
  }

  private static Path target(Path file) {
    try {
      return Files.isSymbolicLink(file)
          ? file.resolveSibling(Files.readSymbolicLink(file)).normalize()
          : file;
    } catch (IOException e) {
      return file;
    }
  }
}
