// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.FileRegion;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Programs;
import io.temptier.shuffle.OpenFiles;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.tier.Medium;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.mapred.IndexRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The open file of a segment: who holds it, what is read and sent of it, and when it is closed. */
class SegmentTest {
  private static final int BLOCK = (int) MapOutput.BLOCK_BYTES;
  private static final int STRETCH = 4 * BLOCK;
  private static final int FILE_BYTES = 3 * STRETCH + 12_345;

  @TempDir private Path dir;

  private final byte[] content = new byte[FILE_BYTES];
  private final WritableByteChannel target = Channels.newChannel(OutputStream.nullOutputStream());
  private TestLanes lanes;
  private HandlerContext handler;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    lanes = new TestLanes(dir, Medium.NVME, Medium.DISK);
    handler = lanes.handler(new SegmentMemory(1 << 20), true);
    new Random(1).nextBytes(content);
    file = Files.write(dir.toRealPath().resolve("file.out"), content);
  }

  @AfterEach
  void close() {
    handler.close();
    Eventually.holds("closed", () -> !isOpen());
  }

  /** An output on a fast device, of one segment. */
  private MapOutput output(long offset, long length) throws IOException {
    return lanes.output(file, Medium.NVME, new IndexRecord(offset, length, length));
  }

  private Segment segment(long offset, long length) throws IOException {
    return new Segment(handler, output(offset, length), 0);
  }

  private boolean isOpen() throws IOException {
    return !OpenFiles.below(dir.toRealPath()).isEmpty();
  }

  @Test
  void theLastWhoHoldsItCloses() throws IOException {
    Segment slot = segment(0, 10);
    OpenFile mine = slot.open();
    FileRegion region = slot.open().region(0, 10);
    slot.close();
    mine.release();
    Files.delete(file);
    assertEquals(10, region.transferTo(target, 0), "readable wherever the file went");
    region.release();
  }

  @Test
  void itIsOpenedOnceUntilItIsClosed() throws IOException {
    Segment slot = segment(0, 300_000);
    slot.open().release();
    assertTrue(isOpen(), "kept for the next part");
    slot.close();
    Eventually.holds("closed", () -> !isOpen());
    assertThrows(ClosedChannelException.class, slot::open);
  }

  /** What an event loop sends was opened by a lane: its name may be a pipe by now. */
  @Test
  void whatWasOpenAMomentAgoIsNotOpenedAgain() throws Exception {
    MapOutput first = output(0, 10);
    Segment before = new Segment(handler, first, 0);
    assertNull(before.openNow());
    Path pipe = dir.resolve("pipe");
    Programs.pipe(pipe);
    before.open().release();
    before.close();
    Files.move(pipe, file, StandardCopyOption.REPLACE_EXISTING);
    Segment after = new Segment(handler, first, 0);
    FileRegion region = Objects.requireNonNull(after.openNow()).region(0, 10);
    assertEquals(10, region.transferTo(target, 0));
    region.release();
    after.close();
  }

  @Test
  void whatTookItsPlaceIsNotOpened() throws Exception {
    Segment slot = segment(0, 300_000);
    Files.delete(file);
    assertThrows(FileNotFoundException.class, slot::open);
    Programs.pipe(file);
    assertThrows(FileNotFoundException.class, slot::open);
    Files.delete(file);
    Files.createSymbolicLink(file, Files.write(dir.resolve("other"), content));
    assertThrows(FileNotFoundException.class, slot::open);
  }

  /** The head of the answer is out: what is found instead must be of the same length. */
  @Test
  void whatWasMovedMustBeTheSame() throws IOException {
    Segment slot = segment(0, 10);
    slot.moved(output(0, 10));
    assertThrows(IOException.class, () -> slot.moved(output(0, 11)));
    assertThrows(IOException.class, () -> slot.moved(output(1, 10)));
  }

  /**
   * An output on a disk.
   *
   * @return its second partition is the one to read; those beside it were not fetched
   */
  private MapOutput onDisk(long offset, long length, long runStart, long runEnd)
      throws IOException {
    long end = offset + length;
    return lanes.output(
        file,
        Medium.DISK,
        new IndexRecord(runStart, offset - runStart, offset - runStart),
        new IndexRecord(offset, length, length),
        new IndexRecord(end, runEnd - end, runEnd - end));
  }

  private MapOutput onDisk(long offset, long length) throws IOException {
    return onDisk(offset, length, 0, FILE_BYTES);
  }

  private ByteBuf read(MapOutput output, long position, int bytes, int stretch) throws IOException {
    Segment segment = new Segment(handler, output, 1);
    OpenFile open = segment.open();
    try {
      return open.read(segment, position, bytes, stretch);
    } finally {
      open.release();
      segment.close();
    }
  }

  private MapOutput check(MapOutput output, int position, int bytes, int stretch)
      throws IOException {
    ByteBuf part = read(output, position, bytes, stretch);
    assertEquals(ByteBufUtil.hexDump(content, position, bytes), ByteBufUtil.hexDump(part), "bytes");
    part.release();
    return output;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100",
    "1048575, 2",
    "1000000, 1048576",
    "3145728, 12345",
    "500000, 1",
    "262144, 262144"
  })
  void givesTheBytesThatWereAskedFor(int position, int bytes) throws IOException {
    MapOutput output = onDisk(position, bytes);
    for (int stretch : new int[] {0, BLOCK, STRETCH, STRETCH}) {
      check(output, position, bytes, stretch);
    }
  }

  /** As an index of a user's own making may say, of a file with holes. */
  @Test
  void aPartAtTheEndOfAllNumbersEnds() throws IOException {
    int bytes = BLOCK - 1;
    long position = Long.MAX_VALUE - bytes;
    MapOutput last = onDisk(position, bytes, position, Long.MAX_VALUE);
    assertThrows(EOFException.class, () -> read(last, position, bytes, STRETCH));
  }

  @ParameterizedTest
  @CsvSource({"1048586, 100, 1048576, 4, 8", "1048566, 20, 1048576, 0, 8", "10, 100, 0, 0, 0"})
  void theStretchesAroundAPartAreWarmAfterwards(
      int position, int bytes, int stretch, int firstWarm, int endOfWarm) throws IOException {
    MapOutput output = check(onDisk(position, bytes), position, bytes, stretch);
    for (long block = 0; block < FILE_BYTES / BLOCK; block++) {
      boolean warm = output.isWarm(block * BLOCK, (block + 1) * BLOCK);
      assertEquals(block >= firstWarm && block < endOfWarm, warm, "block " + block);
    }
  }

  @Test
  void whatWasFetchedIsNotReadAgain() throws IOException {
    // Neither before nor after the segment is there anything left: even a file that ends with it
    // is long enough.
    Files.write(file, Arrays.copyOf(content, STRETCH + 110));
    check(onDisk(STRETCH + 10, 100, STRETCH + 10, STRETCH + 110), STRETCH + 10, 100, STRETCH);
  }
}
