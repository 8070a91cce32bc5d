// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.OutputFile;
import io.temptier.shuffle.output.OutputIndex;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds map outputs on the local dirs: tier by tier, fastest first, so that what lies on the fast
 * tier is found without asking a slow disk. The disks of one tier are asked side by side, each on
 * its lane. Index and data may lie in different dirs.
 *
 * <p>A link that a demotion left is read on the lane of the disk it lies on, and where it points to
 * is looked at on the lane of that one, down to the last. No other link is followed.
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

  private static final Logger LOG = LoggerFactory.getLogger(OutputLocator.class);

  /** More tiers than there are media cannot be. */
  private static final int MOST_LINKS = Medium.values().length;

  /** Indexes up to this are read at once, in bytes; memory for larger ones is asked for. */
  private static final int SMALL_INDEX_BYTES = 64 << 10;

  private final Lanes lanes;
  private final StockLookUp stock;
  private final SegmentMemory fastMemory;
  private final SegmentMemory slowMemory;

  /**
   * A locator.
   *
   * @param lanes the devices
   * @param stock asked when no dir of the layout has the output
   * @param fastMemory for large indexes on fast media while they are read
   * @param slowMemory for those on slow media: apart, as a disk that hangs keeps what it has
   */
  OutputLocator(
      Lanes lanes, StockLookUp stock, SegmentMemory fastMemory, SegmentMemory slowMemory) {
    this.lanes = lanes;
    this.stock = stock;
    this.fastMemory = fastMemory;
    this.slowMemory = slowMemory;
  }

  /**
   * Finds an output and reads its index. Completes exceptionally, with an {@link IOException}, when
   * it is not there or its index cannot be read.
   */
  CompletableFuture<MapOutput> find(MapOutputId id) {
    Search search = new Search(id);
    search.ask(0);
    return search.found;
  }

  @AutoValue
  abstract static class Data {
    abstract Path path();

    abstract BasicFileAttributes file();

    abstract DeviceLane lane();

    static Data of(Path path, BasicFileAttributes file, DeviceLane lane) {
      return new AutoValue_OutputLocator_Data(path, file, lane);
    }
  }

  private static IOException badIndex(Throwable cause) {
    return new IOException("Error Reading IndexFile", cause);
  }

  /** One look-up. Its steps run on lanes, several at a time. */
  private final class Search {
    private final MapOutputId id;
    private final Path folder;
    private final Path dataName;
    private final CompletableFuture<MapOutput> found = new CompletableFuture<>();
    private @Nullable OutputIndex index;
    private @Nullable Data data;
    private @Nullable IOException error;

    Search(MapOutputId id) {
      this.id = id;
      this.folder = id.relativePath();
      this.dataName = folder.resolve(MapOutputId.DATA);
    }

    /** Asks one tier, and the next when that has answered; after the last stock. */
    void ask(int tier) {
      int tiers = lanes.tiers().size();
      IOException known = error();
      if (found.isDone()) {
        return;
      }
      if (tier > tiers || (tier == tiers && known != null)) {
        found.completeExceptionally(
            known == null ? new IOException("Could not find " + dataName) : known);
        return;
      }
      LaneRound round = new LaneRound(id, () -> ask(tier + 1), found::completeExceptionally);
      if (tier == tiers) {
        // Stock's own search has the last word, and its error is the one that fetchers know.
        round.start(lanes.slowest(), () -> askStock(round));
      } else {
        for (Lanes.Stop stop : lanes.tiers().get(tier)) {
          round.start(stop.lane(), () -> stop.dirs().forEach(dir -> look(round, dir, stop.lane())));
        }
      }
      round.end();
    }

    private void askStock(LaneRound round) throws IOException {
      if (!hasIndex()) {
        lookForIndex(
            round, stock.find(folder.resolve(MapOutputId.INDEX).toString()), lanes.slowest());
      }
      if (!hasData()) {
        Path file = stock.find(dataName.toString());
        if (OutputFile.hasFolder(root(file), folder)) {
          lookForData(round, file, lanes.of(file), 0);
        }
      }
    }

    private void look(LaneRound round, Path dir, DeviceLane lane) {
      if (found.isDone()) {
        return;
      }
      try {
        if (OutputFile.hasFolder(dir, folder)) {
          if (!hasIndex()) {
            lookForIndex(round, dir.resolve(folder).resolve(MapOutputId.INDEX), lane);
          }
          if (!hasData()) {
            lookForData(round, dir.resolve(dataName), lane, 0);
          }
        }
      } catch (FileSystemException e) {
        LOG.debug("No look into {}", dir, e);
      } catch (IOException e) {
        note(e);
      }
    }

    private void lookForIndex(LaneRound round, Path file, DeviceLane lane) throws IOException {
      Optional<BasicFileAttributes> there = OutputFile.find(file);
      if (!there.isPresent()) {
        return;
      }
      long bytes = there.get().size();
      Object key = OutputFile.key(there.get());
      if (!there.get().isRegularFile() || bytes > OutputIndex.LARGEST_BYTES) {
        note(badIndex(new IOException(file + " is not an index, with " + bytes + " bytes")));
      } else if (bytes <= SMALL_INDEX_BYTES) {
        readIndex(file, key, (int) bytes);
      } else {
        SegmentMemory memory = lane.slow() ? slowMemory : fastMemory;
        round.startWith(memory, bytes, lane, () -> readIndex(file, key, (int) bytes));
      }
    }

    private void readIndex(Path file, Object key, int bytes) {
      try (OutputFile.Opened open = OutputFile.open(file, key, id.user())) {
        OutputIndex read = OutputIndex.read(open.channel(), file, bytes);
        synchronized (this) {
          index = index == null ? read : index;
        }
        completeIfWhole();
      } catch (IOException | RuntimeException e) {
        note(badIndex(e));
      }
    }

    /** Looks at a file that was reached over so many links. */
    private void lookForData(LaneRound round, Path file, DeviceLane lane, int links)
        throws IOException {
      Optional<BasicFileAttributes> there = OutputFile.find(file);
      if (!there.isPresent()) {
        return;
      }
      if (there.get().isRegularFile()) {
        foundData(Data.of(file, there.get(), lane));
      } else if (there.get().isSymbolicLink() && links < MOST_LINKS) {
        follow(round, file, links);
      } else {
        note(new IOException(file + " is not a regular file"));
      }
    }

    /** Goes on, on its own lane, to where a demotion would have moved the file. */
    private void follow(LaneRound round, Path link, int links) throws IOException {
      Path target = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
      if (!target.endsWith(dataName)) {
        note(new IOException(link + " is a link to " + target + ", which is another file"));
        return;
      }
      Path root = root(target);
      DeviceLane lane = lanes.of(target);
      boolean trusted = lanes.has(root);
      round.start(
          lane,
          () -> {
            if (!OutputFile.hasFolder(root, folder)) {
              return;
            }
            if (trusted || OutputFile.sameOwner(link, target)) {
              lookForData(round, target, lane, links + 1);
            } else {
              note(
                  new IOException(
                      target + " belongs to another user than the link to it, " + link));
            }
          });
    }

    /** The dir that a data file lies in. */
    private Path root(Path file) {
      Path root = file;
      for (int name = 0; name < dataName.getNameCount(); name++) {
        Path parent = root.getParent();
        root = parent == null ? root : parent;
      }
      return root;
    }

    private void foundData(Data file) {
      synchronized (this) {
        data = data == null ? file : data;
      }
      completeIfWhole();
    }

    private synchronized void note(IOException problem) {
      error = error == null ? problem : error;
    }

    private synchronized @Nullable IOException error() {
      return error;
    }

    private synchronized boolean hasIndex() {
      return index != null;
    }

    private synchronized boolean hasData() {
      return data != null;
    }

    private void completeIfWhole() {
      OutputIndex wholeIndex;
      Data wholeData;
      synchronized (this) {
        wholeIndex = index;
        wholeData = data;
      }
      if (wholeIndex != null && wholeData != null) {
        found.complete(
            MapOutput.of(
                id,
                wholeData.path(),
                OutputFile.key(wholeData.file()),
                wholeData.file().size(),
                wholeData.lane(),
                wholeIndex,
                new WarmBlocks()));
      }
    }
  }
}
