// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectIoTest {
  @TempDir private Path dir;

  @Test
  void theTestsJavaKnowsIt() throws IOException {
    assertTrue(DirectIo.isKnown());
    assertEquals("DIRECT", DirectIo.option().toString());
    assertEquals(Files.getFileStore(dir).getBlockSize(), DirectIo.blockSize(dir));
    ByteBuffer buffer = DirectIo.aligned(512, 4096);
    assertEquals(512, buffer.capacity());
    assertEquals(0, buffer.alignmentOffset(0, 4096));
  }

  @Test
  void aJavaWithoutItSaysSo() {
    assertFalse(DirectIo.optionOf("com.sun.nio.file.NotThere").isPresent());
    assertThrows(
        UnsupportedOperationException.class,
        () -> DirectIo.call(ByteBuffer.class, "notThere", ByteBuffer.allocate(1), new Class<?>[0]));
  }

  @Test
  void aFailureIsThatOfTheFile() {
    assertThrows(NoSuchFileException.class, () -> DirectIo.blockSize(dir.resolve("none")));
  }
}
