// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.s3a.profile.UploadBufferPlan.Buffer;
import io.temptier.tier.text.Sizes;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UploadBufferPlanTest {
  private static final long MIB = 1L << 20;

  private static UploadBufferPlan plan(
      String wanted, String memory, String heap, int streams, int active, String part) {
    Optional<ContainerMemory> container =
        memory.equals("-")
            ? Optional.empty()
            : Optional.of(
                heap.equals("-")
                    ? ContainerMemory.of(Sizes.parse(memory))
                    : ContainerMemory.of(Sizes.parse(memory), Sizes.parse(heap)));
    return UploadBufferPlan.of(
        wanted.equals("-") ? Optional.empty() : Optional.of(Buffer.valueOf(wanted)),
        container,
        streams,
        active,
        Sizes.parse(part));
  }

  @ParameterizedTest
  @CsvSource({
    // Half of 0.8 x 4 GiB is 1638 MiB: five streams of 320 MiB, and not six.
    "-, 4g, -, 5, 4, 64m, ARRAY",
    "-, 4g, -, 6, 4, 64m, DISK",
    // A small heap in a large container leaves room outside it.
    "-, 8g, 2g, 6, 4, 64m, BYTEBUFFER",
    "-, 8g, 1g, 1, 4, 64m, ARRAY",
    // Java's direct memory is as large as the heap.
    "-, 8g, 2g, 7, 4, 64m, DISK",
    "-, 8g, 300m, 10, 4, 64m, DISK",
    "-, 1g, -, 1, 4, 64m, ARRAY",
    "-, 1g, -, 2, 4, 64m, DISK",
    "-, 1g, -, 2, 1, 64m, ARRAY",
    "-, -, -, 1, 4, 64m, DISK",
    "DISK, 4g, -, 1, 4, 64m, DISK",
    "BYTEBUFFER, 8g, 1g, 1, 4, 64m, BYTEBUFFER",
  })
  void takesTheFastestThatHoldsAllBlocks(
      String wanted,
      String memory,
      String heap,
      int streams,
      int active,
      String part,
      Buffer expected) {
    UploadBufferPlan plan = plan(wanted, memory, heap, streams, active, part);
    assertEquals(expected, plan.buffer());
  }

  @ParameterizedTest
  @CsvSource({
    "ARRAY, 4g, -, 8",
    "ARRAY, 4g, 2g, 8",
    "BYTEBUFFER, 4g, 3g, 8",
    "BYTEBUFFER, 8g, 300m, 10",
    "BYTEBUFFER, 1g, -, 1",
  })
  void refusesWhatCanRunOutAndSaysWhatToChange(
      String wanted, String memory, String heap, int streams) {
    Texts.thrown(
        UploadBufferPlan.UnsafeException.class,
        () -> plan(wanted, memory, heap, streams, 4, "64m"),
        wanted.toLowerCase(Locale.ROOT) + " buffers can run out: they need ",
        "Raise --memory or --heap, lower --streams, --active-blocks or --part-size, or take"
            + " --buffer disk");
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
        IllegalArgumentException.class, () -> plan("-", "-", "-", streams, active, part), message);
  }

  @Test
  void theLargestNumbersDoNotOverflow() {
    UploadBufferPlan plan = plan("-", "1p", "-", 10_000, 100_000, "2047m");
    assertEquals(10_000L * 100_001 * 2047 * MIB, plan.needBytes());
    assertTrue(plan.needBytes() < Long.MAX_VALUE / 2);
    assertEquals(Buffer.DISK, plan.buffer());
    assertThrows(IllegalArgumentException.class, () -> ContainerMemory.of(0));
  }
}
