// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.output.MapOutput;
import io.temptier.shuffle.output.WarmBlocks;
import io.temptier.tier.Medium;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.mapred.IndexRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentReaderTest {
  private static final int BLOCK = (int) WarmBlocks.BLOCK_BYTES;
  private static final int STRETCH = 4 * BLOCK;
  private static final int FILE_BYTES = 3 * STRETCH + 12_345;

  @TempDir private Path dir;

  @AutoClose private final DeviceLane lane = new DeviceLane("disk", Medium.DISK, 1);
  private final WarmBlocks warm = new WarmBlocks();
  private final byte[] content = new byte[FILE_BYTES];
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    file = Files.write(dir.resolve("file.out"), content);
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
    for (int stretch : new int[] {0, BLOCK, STRETCH, STRETCH}) {
      check(segment(position, bytes, 0, FILE_BYTES), position, bytes, stretch);
    }
  }

  /** As an index of a user's own making may say, of a file with holes. */
  @Test
  void aPartAtTheEndOfAllNumbersEnds() throws IOException {
    int bytes = BLOCK - 1;
    long position = Long.MAX_VALUE - bytes;
    Segment last = segment(position, bytes, position, Long.MAX_VALUE);
    OpenFile open = last.open();
    assertThrows(
        EOFException.class, () -> SegmentReader.read(open, last, position, bytes, STRETCH));
    open.release();
  }

  @Test
  void theStretchAroundAPartIsWarmAfterwards() throws IOException {
    check(segment(STRETCH + 10, 100, 0, FILE_BYTES), STRETCH + 10, 100, STRETCH);
    assertTrue(warm.isWarm(STRETCH, 2 * STRETCH));
    assertFalse(warm.isWarm(0, STRETCH));
    assertFalse(warm.isWarm(2 * STRETCH, 2 * STRETCH + 1));
  }

  @Test
  void aPartOfTwoStretchesWarmsBoth() throws IOException {
    check(segment(STRETCH - 10, 20, 0, FILE_BYTES), STRETCH - 10, 20, STRETCH);
    assertTrue(warm.isWarm(0, 2 * STRETCH));
  }

  @Test
  void withoutAStretchNothingElseIsRead() throws IOException {
    check(segment(10, 100, 0, FILE_BYTES), 10, 100, 0);
    assertFalse(warm.isWarm(0, 1));
  }

  @Test
  void whatWasFetchedIsNotReadAgain() throws IOException {
    // Neither before nor after the segment is there anything left: even a file that ends with it
    // is long enough.
    Segment alone = segment(STRETCH + 10, 100, STRETCH + 10, STRETCH + 110);
    Files.write(file, Arrays.copyOf(content, STRETCH + 110));
    check(alone, STRETCH + 10, 100, STRETCH);
  }

  @Test
  void aFileThatIsTooShortIsSaid() throws IOException {
    Files.write(file, Arrays.copyOf(content, 50));
    for (int stretch : new int[] {0, STRETCH}) {
      EOFException e =
          assertThrows(
              EOFException.class, () -> check(segment(10, 100, 0, FILE_BYTES), 10, 100, stretch));
      assertTrue(String.valueOf(e.getMessage()).contains(file.toString()), e.toString());
    }
  }

  private void check(Segment segment, int position, int bytes, int stretch) throws IOException {
    OpenFile open = segment.open();
    try {
      ByteBuf part = SegmentReader.read(open, segment, position, bytes, stretch);
      assertEquals(
          ByteBufUtil.hexDump(content, position, bytes), ByteBufUtil.hexDump(part), "bytes");
      part.release();
    } finally {
      open.release();
      segment.close();
    }
  }

  /** The middle one of three, of which those beside it were not fetched. */
  private Segment segment(long offset, long length, long runStart, long runEnd) throws IOException {
    long end = offset + length;
    MapOutput output =
        TestLanes.output(
            file,
            lane,
            warm,
            new IndexRecord(runStart, offset - runStart, offset - runStart),
            new IndexRecord(offset, length, length),
            new IndexRecord(end, runEnd - end, runEnd - end));
    return new Segment(output, 1, new FetchTracker(application -> true), new RecentFiles());
  }
}
