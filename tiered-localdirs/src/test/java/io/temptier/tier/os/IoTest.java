// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoTest {
  @TempDir private Path dir;

  @Test
  void whatIsNoTextIsRefused() throws IOException {
    Path file = dir.resolve("bytes");
    Files.write(file, new byte[] {(byte) 0xff, 0});
    assertThrows(CharacterCodingException.class, () -> Io.readString(file));
    assertThrows(CharacterCodingException.class, () -> Io.writeString(file, "\ud83d"));
  }

  @Test
  void aStreamIsReadToItsEndThoughItGivesLittleAtATime() throws IOException {
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    assertArrayEquals(bytes, Io.readAllBytes(inTwo(bytes)));
    assertArrayEquals(inTwo(bytes).readNBytes(70_000), Io.readNBytes(inTwo(bytes), 70_000));
    assertArrayEquals(bytes, Io.readNBytes(inTwo(bytes), 1_000_000));
    assertArrayEquals(new byte[0], Io.readNBytes(inTwo(bytes), 0));
  }

  private static InputStream inTwo(byte[] bytes) {
    return new SequenceInputStream(
        new ByteArrayInputStream(bytes, 0, 60_000),
        new ByteArrayInputStream(bytes, 60_000, bytes.length - 60_000));
  }
}
