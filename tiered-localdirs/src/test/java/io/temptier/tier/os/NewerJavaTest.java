// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.lang.Immutable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands in for what a newer Java has does the same, as the tests' Java can tell. */
class NewerJavaTest {
  @TempDir private Path dir;

  @Test
  void thisJavaKnowsDirectIo() throws IOException {
    assertTrue(DirectIo.isKnown());
    assertEquals("DIRECT", DirectIo.option().toString());
    assertEquals(Files.getFileStore(dir).getBlockSize(), DirectIo.blockSize(dir));
    ByteBuffer buffer = DirectIo.aligned(512, 4096);
    assertEquals(512, buffer.capacity());
    assertEquals(0, buffer.alignmentOffset(0, 4096));
  }

  @Test
  void aJavaWithoutDirectIoSaysSo() {
    assertFalse(DirectIo.optionOf("com.sun.nio.file.NotThere").isPresent());
    assertThrows(
        UnsupportedOperationException.class,
        () -> DirectIo.call(ByteBuffer.class, "notThere", ByteBuffer.allocate(1), new Class<?>[0]));
  }

  @Test
  void aFailureOfDirectIoIsThatOfTheFile() {
    assertThrows(NoSuchFileException.class, () -> DirectIo.blockSize(dir.resolve("none")));
  }

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

  @Test
  void thePidIsThatOfThisProcess() {
    assertEquals(ProcessHandle.current().pid(), ProcessTable.ownPid());
  }

  @Test
  void thePidOfAChildIsTheSameInEachWay() throws Exception {
    Process child = new ProcessBuilder("cat").start();
    try {
      assertEquals(child.pid(), ProcessTable.pidOf(child));
      assertEquals(child.pid(), ProcessTable.pidField(child));
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  static Stream<Collection<String>> collections() {
    return Stream.of(
        Immutable.listOf("a", "b"),
        Immutable.copyOf(new ArrayList<>(List.of("a", "b"))),
        Immutable.listFrom(Set.of("a")),
        Immutable.setOf("a", "b"),
        Immutable.copyOf(Set.of("a")),
        Immutable.mapOf("a", "b").keySet(),
        Immutable.copyOf(Map.of("a", "b")).keySet(),
        Stream.of("a", "b").collect(Immutable.toList()),
        Stream.of("a").collect(Immutable.toMap(Function.identity(), one -> one)).keySet());
  }

  @ParameterizedTest
  @MethodSource("collections")
  void noCollectionCanBeChanged(Collection<String> one) {
    assertThrows(UnsupportedOperationException.class, () -> one.add("c"));
    assertThrows(UnsupportedOperationException.class, () -> one.remove("a"));
    Iterator<String> each = one.iterator();
    each.next();
    assertThrows(UnsupportedOperationException.class, each::remove);
  }
}
