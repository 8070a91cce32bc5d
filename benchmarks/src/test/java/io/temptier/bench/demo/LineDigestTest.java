// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class LineDigestTest {
  @Test
  void theSameLinesInAnotherOrderAreTheSame() throws IOException {
    LineDigest in = digest("", "b\na\r\nä\rno end");
    LineDigest out = digest("\t", "a\t\nb\t\nno end\t\nä\t\n");
    assertEquals(4, in.lines());
    assertTrue(out.sameLines(in));
    assertTrue(out.sorted());
    assertFalse(in.sorted());
  }

  @Test
  void aLostChangedOrDoubledLineIsSeen() throws IOException {
    LineDigest in = digest("", "a\nb\nc\n");
    assertFalse(digest("", "a\nb\n").sameLines(in));
    assertFalse(digest("", "a\nb\nd\n").sameLines(in));
    assertFalse(digest("", "a\nb\nb\n").sameLines(in));
    assertFalse(digest("", "a\nb\nc\n\n").sameLines(in));
    assertFalse(digest("\t", "a\t\nb\t\nc\t\t\n").sameLines(in));
  }

  @Test
  void onlyWithinAPartMustLinesBeInOrder() throws IOException {
    LineDigest digest = digest("", "b\nc\n");
    digest.nextPart();
    digest.add(stream("a\nd\n"));
    assertTrue(digest.sorted());
    digest.add(stream("c\n"));
    assertFalse(digest.sorted());
  }

  @Test
  void bytesAreUnsigned() throws IOException {
    assertTrue(digest("", "a\nz\nä\n").sorted());
  }

  @Test
  void longLinesAndTheSeparatorAreTakenIn() throws IOException {
    LineDigest digest = digest("", "x".repeat(5000) + "\n");
    assertEquals(1, digest.lines());
    assertFalse(digest.separatorSeen());
    digest.add(new ByteArrayInputStream(new byte[] {'a', (byte) 0xFF}));
    assertTrue(digest.separatorSeen());
  }

  private static LineDigest digest(String end, String text) throws IOException {
    LineDigest digest = new LineDigest(end);
    digest.add(stream(text));
    return digest;
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
