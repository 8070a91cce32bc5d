// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.Lanes;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;

/** Lanes of depth 1 over local dirs that are said to be of some media. */
public final class TestLanes implements AutoCloseable {
  private final List<LocalDir> dirs;
  private final List<CountDownLatch> hanging = new ArrayList<>();
  private final Lanes lanes;

  /** A dir of each medium, in this order. */
  public TestLanes(Path folder, Medium... media) throws IOException {
    this(1, folder, media);
  }

  /** The same, where lanes do so many jobs at a time. */
  public TestLanes(int depth, Path folder, Medium... media) throws IOException {
    this(depth, below(folder, media));
  }

  /** These dirs, which are made where they are missing. */
  public TestLanes(int depth, Map<Path, Medium> media) throws IOException {
    dirs = new ArrayList<>();
    for (Map.Entry<Path, Medium> dir : media.entrySet()) {
      Path made = Files.createDirectories(dir.getKey());
      dirs.add(LocalDir.of(made, dir.getValue(), LocalDir.NO_CAP, "test"));
    }
    TierLayout layout = TierLayout.of(dirs, List.of(Medium.values()), medium -> Reserve.ofBytes(0));
    lanes = new Lanes(layout, new KernelClassifier(), medium -> depth);
  }

  private static Map<Path, Medium> below(Path folder, Medium... media) {
    Map<Path, Medium> dirs = new LinkedHashMap<>();
    for (Medium medium : media) {
      dirs.put(folder.resolve("local-" + dirs.size()), medium);
    }
    return dirs;
  }

  public List<Path> dirs() {
    return dirs.stream().map(LocalDir::path).toList();
  }

  public OutputLocator locator(OutputLocator.StockLookUp stock) {
    return new OutputLocator(lanes, stock);
  }

  /** An output whose index says this. */
  MapOutput output(Path file, Medium medium, IndexRecord... index) throws IOException {
    ByteBuffer written = ByteBuffer.allocate(index.length * 3 * Long.BYTES + Long.BYTES);
    for (IndexRecord record : index) {
      written.putLong(record.startOffset).putLong(record.rawLength).putLong(record.partLength);
    }
    CRC32 checksum = new CRC32();
    checksum.update(written.array(), 0, written.position());
    written.putLong(checksum.getValue());
    Path path = Files.write(file.resolveSibling("file.out.index"), written.array());
    try (FileChannel channel = FileChannel.open(path)) {
      return new MapOutput(
          MapOutputId.of(System.getProperty("user.name"), "application_1_0001", "attempt_1"),
          file,
          FileStamp.of(file).key(),
          Long.MAX_VALUE,
          lane(medium),
          OutputIndex.read(channel, path, written.capacity()));
    } finally {
      Files.delete(path);
    }
  }

  /** A cache of what is found in the dirs alone. */
  public MapOutputCache cache(long maxBytes) {
    OutputLocator locator =
        locator(
            path -> {
              throw new IOException("no " + path);
            });
    return new MapOutputCache(locator, maxBytes, Duration.ofMinutes(5));
  }

  /**
   * What connections over these lanes share.
   *
   * @param transferTo whether fast segments are sent from the page cache, or from memory as with
   *     TLS
   */
  HandlerContext handler(SegmentMemory slowMemory, boolean transferTo) {
    Configuration conf = new Configuration(false);
    conf.setBoolean(ShuffleHandler.SHUFFLE_TRANSFERTO_ALLOWED, transferTo);
    return HandlerContext.of(
        new ShuffleChannelHandlerContext(
            conf, new ConcurrentHashMap<>(), null, null, null, null, null),
        cache(1 << 20),
        new FetchTracker(application -> true),
        new SegmentMemory(1 << 20),
        slowMemory,
        lanes);
  }

  /** Keeps the lane of a medium from doing anything until the latch is let go. */
  public CountDownLatch hang(Medium medium) {
    CountDownLatch latch = new CountDownLatch(1);
    hanging.add(latch);
    DeviceLane lane = lane(medium);
    lane.lookUp("root", () -> await(latch));
    Eventually.holds("the lane hangs", () -> lane.busy() && lane.waiting() == 0);
    return latch;
  }

  /** The lane of a medium, whose dirs lie on one disk. */
  private DeviceLane lane(Medium medium) {
    return lanes.all().stream().filter(lane -> lane.medium() == medium).findFirst().orElseThrow();
  }

  public static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    hanging.forEach(CountDownLatch::countDown);
    lanes.close();
  }
}
