// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.s3a.profile.UploadBufferPlan.Buffer;
import io.temptier.tier.text.Sizes;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UploadBufferPlanTest {
  private static final long MIB = 1L << 20;

  private static ContainerMemory container(String memory, String heap) {
    return heap.equals("-")
        ? ContainerMemory.of(Sizes.parse(memory))
        : ContainerMemory.of(Sizes.parse(memory), Sizes.parse(heap));
  }

  @ParameterizedTest
  @CsvSource({
    // Half of 0.8 x 4 GiB is 1638 MiB: five streams of 320 MiB, and not six.
    "4g, -, 5, ARRAY",
    "4g, -, 6, DISK",
    // A small heap in a large container leaves room outside it.
    "8g, 2g, 6, BYTEBUFFER",
    "8g, 1g, 1, ARRAY",
    // Java's direct memory is as large as the heap.
    "8g, 2g, 7, DISK",
    "8g, 300m, 10, DISK",
    "1g, -, 1, ARRAY",
    "1g, -, 2, DISK",
  })
  void takesTheFastestThatHoldsAllBlocks(String memory, String heap, int streams, Buffer expected) {
    UploadBufferPlan plan = UploadBufferPlan.of(Optional.of(container(memory, heap)), streams);
    assertEquals(expected, plan.buffer());
    assertEquals(Optional.empty(), plan.runsOut(container(memory, heap)));
  }

  @Test
  void memoryThatIsNotKnownHoldsNothing() {
    assertEquals(Buffer.DISK, UploadBufferPlan.unknown().buffer());
  }

  @ParameterizedTest
  @CsvSource({
    "ARRAY, 4g, -, 8",
    "ARRAY, 4g, 2g, 8",
    "BYTEBUFFER, 4g, 3g, 8",
    "BYTEBUFFER, 8g, 300m, 10",
    "BYTEBUFFER, 1g, -, 1",
  })
  void saysWhatCanRunOut(Buffer buffer, String memory, String heap, int streams) {
    UploadBufferPlan plan = UploadBufferPlan.of(buffer, streams, 4, 64 * MIB);
    String why = plan.runsOut(container(memory, heap)).orElseThrow();
    assertTrue(why.startsWith(buffer + " buffers can run out: they need "), why);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4, 64m, streams of 0",
    "10001, 4, 64m, streams of 10001",
    "1, 0, 64m, active blocks of 0",
    "1, 100001, 64m, active blocks of 100001",
    "1, 4, 5242879, a part of 5 MiB is out of bounds",
    "1, 4, 2g, a part of 2 GiB is out of bounds",
  })
  void numbersOutOfBoundsAreNamed(int streams, int active, String part, String message) {
    Texts.thrown(
        IllegalArgumentException.class,
        () -> UploadBufferPlan.of(Buffer.DISK, streams, active, Sizes.parse(part)),
        message);
  }

  @Test
  void theLargestNumbersDoNotOverflow() {
    UploadBufferPlan plan = UploadBufferPlan.of(Buffer.ARRAY, 10_000, 100_000, 2047 * MIB);
    assertEquals(10_000L * 100_001 * 2047 * MIB, plan.needBytes());
    assertTrue(plan.needBytes() < Long.MAX_VALUE / 2);
    assertTrue(plan.runsOut(container("1p", "-")).isPresent());
    assertThrows(IllegalArgumentException.class, () -> ContainerMemory.of(0));
  }
}
