// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.FileRegion;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Programs;
import io.temptier.shuffle.OpenFiles;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.output.MapOutput;
import io.temptier.shuffle.output.WarmBlocks;
import io.temptier.tier.Medium;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.mapred.IndexRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The open file of a segment: who holds it, what is sent of it, and when it is closed. */
class SegmentTest {
  private static final int FILE_BYTES = 300_000;

  @TempDir private Path dir;

  private final RecentFiles files = new RecentFiles();
  private final DeviceLane lane = new DeviceLane("disk", Medium.NVME, 1);
  private final byte[] content = new byte[FILE_BYTES];
  private final WritableByteChannel target = Channels.newChannel(OutputStream.nullOutputStream());
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    file = Files.write(dir.toRealPath().resolve("file.out"), content);
  }

  @AfterEach
  void close() throws IOException {
    files.close();
    Eventually.holds("closed", () -> !isOpen());
    lane.close();
  }

  /** An output of one segment. */
  private MapOutput output(long offset, long length) throws IOException {
    return TestLanes.output(file, lane, new WarmBlocks(), new IndexRecord(offset, length, length));
  }

  private Segment segment(long offset, long length) throws IOException {
    return segment(output(offset, length));
  }

  private Segment segment(MapOutput output) throws IOException {
    return new Segment(output, 0, new FetchTracker(application -> true), files);
  }

  private boolean isOpen() throws IOException {
    return !OpenFiles.below(dir.toRealPath()).isEmpty();
  }

  @Test
  void aFileThatIsTooShortIsAnError() throws IOException {
    FileRegion region = OpenFile.open(output(0, FILE_BYTES)).region(299_990, 11);
    assertEquals(10, region.transferTo(target, 0));
    assertThrows(IOException.class, () -> region.transferTo(target, region.transferred()));
    region.release();
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
    files.close();
    Eventually.holds("closed", () -> !isOpen());
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
    Segment before = segment(first);
    assertNull(before.openNow());
    Path pipe = dir.resolve("pipe");
    Programs.pipe(pipe);
    before.open().release();
    before.close();
    Files.move(pipe, file, StandardCopyOption.REPLACE_EXISTING);
    Segment after = segment(first);
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
}
