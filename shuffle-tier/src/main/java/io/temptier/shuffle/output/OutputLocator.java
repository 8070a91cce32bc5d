// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.Lanes;
import io.temptier.tier.Medium;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
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
public final class OutputLocator {
  /** Finds a file as stock Hadoop does, in every dir the NodeManager still reads. */
  @FunctionalInterface
  public interface StockLookUp {
    /** The path of an existing file; the message where there is none goes to the fetcher. */
    Path find(String relativePath) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(OutputLocator.class);

  /** More tiers than there are media cannot be. */
  private static final int MOST_LINKS = Medium.values().length;

  private final Lanes lanes;
  private final StockLookUp stock;

  /** Looks on these lanes, and asks stock when no dir of theirs has an output. */
  public OutputLocator(Lanes lanes, StockLookUp stock) {
    this.lanes = lanes;
    this.stock = stock;
  }

  /**
   * Finds an output and reads its index. Completes exceptionally, with an {@link IOException}, when
   * it is not there or its index cannot be read.
   */
  CompletableFuture<MapOutput> find(MapOutputId id) {
    Search search = new Search(id);
    search.askNext();
    return search.found;
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private static IOException badIndex(Throwable cause) {
    return new IOException("Error Reading IndexFile", cause);
  }

  /**
   * A look-up. Its steps run on lanes, several at a time, and may start further ones; when all are
   * done the next tier is asked.
   */
  private final class Search {
    private final MapOutputId id;
    private final Path folder;
    private final Path dataName;
    private final CompletableFuture<OutputIndex> index = new CompletableFuture<>();

    /** Makes the output, once its index is read. */
    private final CompletableFuture<Function<OutputIndex, MapOutput>> data =
        new CompletableFuture<>();

    private final CompletableFuture<MapOutput> found = data.thenCombine(index, Function::apply);

    /** Error of the first output that could not be used. */
    private final AtomicReference<@Nullable IOException> error = new AtomicReference<>();

    /** Steps that are not done. */
    private final AtomicInteger open = new AtomicInteger();

    private int tier;

    Search(MapOutputId id) {
      this.id = id;
      this.folder = id.relativePath();
      this.dataName = folder.resolve(MapOutputId.DATA);
    }

    /** Asks one tier, and the next when that has answered; after the last stock. */
    private void askNext() {
      int asking = tier++;
      int tiers = lanes.tiers().size();
      IOException known = error.get();
      if (found.isDone()) {
        return;
      }
      if (asking > tiers || (asking == tiers && known != null)) {
        found.completeExceptionally(
            known == null ? new IOException("Could not find " + dataName) : known);
        return;
      }
      // One until all first steps are started, so that the search does not go on before.
      open.set(1);
      if (asking == tiers) {
        // Stock's own search has the last word, and its error is the one that fetchers know.
        start(lanes.slowest(), this::askStock);
      } else {
        lanes
            .tiers()
            .get(asking)
            .forEach((lane, dirs) -> start(lane, () -> dirs.forEach(dir -> look(dir, lane))));
      }
      end();
    }

    private void start(DeviceLane lane, Step step) {
      open.incrementAndGet();
      try {
        lane.lookUp(id.user(), () -> run(step));
      } catch (RejectedExecutionException e) {
        found.completeExceptionally(new IOException(e.getMessage(), e));
        end();
      }
    }

    private void run(Step step) {
      try {
        step.run();
      } catch (IOException e) {
        found.completeExceptionally(e);
      } catch (RuntimeException | Error e) {
        found.completeExceptionally(new IOException(e));
      } finally {
        end();
      }
    }

    private void end() {
      if (open.decrementAndGet() == 0) {
        askNext();
      }
    }

    private void askStock() throws IOException {
      if (!index.isDone()) {
        lookForIndex(stock.find(folder.resolve(MapOutputId.INDEX).toString()));
      }
      if (!data.isDone()) {
        Path file = stock.find(dataName.toString());
        if (OutputFile.hasFolder(MapOutputId.root(file), folder)) {
          lookForData(file, lanes.of(file), 0);
        }
      }
    }

    private void look(Path dir, DeviceLane lane) {
      if (found.isDone()) {
        return;
      }
      try {
        if (OutputFile.hasFolder(dir, folder)) {
          if (!index.isDone()) {
            lookForIndex(dir.resolve(folder).resolve(MapOutputId.INDEX));
          }
          if (!data.isDone()) {
            lookForData(dir.resolve(dataName), lane, 0);
          }
        }
      } catch (FileSystemException e) {
        LOG.debug("No look into {}", dir, e);
      } catch (IOException e) {
        note(e);
      }
    }

    private void lookForIndex(Path file) throws IOException {
      Optional<FileStamp> there = FileStamp.find(file);
      if (!there.isPresent()) {
        return;
      }
      long bytes = there.get().bytes();
      if (!there.get().regular() || bytes > OutputIndex.LARGEST_BYTES) {
        note(badIndex(new IOException(file + " is not an index, with " + bytes + " bytes")));
        return;
      }
      try (FileChannel open = OutputFile.open(file, there.get().key(), id.user())) {
        index.complete(OutputIndex.read(open, file, (int) bytes));
      } catch (IOException | RuntimeException e) {
        note(badIndex(e));
      }
    }

    /** Looks at a file that was reached over so many links. */
    private void lookForData(Path file, DeviceLane lane, int links) throws IOException {
      Optional<FileStamp> there = FileStamp.find(file);
      if (!there.isPresent()) {
        return;
      }
      if (there.get().regular()) {
        Object key = there.get().key();
        long bytes = there.get().bytes();
        data.complete(read -> new MapOutput(id, file, key, bytes, lane, read));
      } else if (links < MOST_LINKS && Files.isSymbolicLink(file)) {
        follow(file, links);
      } else {
        note(new IOException(file + " is not a regular file"));
      }
    }

    /** Goes on, on its own lane, to where a demotion would have moved the file. */
    private void follow(Path link, int links) throws IOException {
      Path target = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
      if (!target.endsWith(dataName)) {
        note(new IOException(link + " is a link to " + target + ", which is another file"));
        return;
      }
      Path root = MapOutputId.root(target);
      DeviceLane lane = lanes.of(target);
      boolean trusted = lanes.has(root);
      start(
          lane,
          () -> {
            if (!OutputFile.hasFolder(root, folder)) {
              return;
            }
            if (trusted || FileStamp.of(link).uid() == FileStamp.of(target).uid()) {
              lookForData(target, lane, links + 1);
            } else {
              note(
                  new IOException(
                      target + " belongs to another user than the link to it, " + link));
            }
          });
    }

    private void note(IOException problem) {
      error.compareAndSet(null, problem);
    }
  }
}
