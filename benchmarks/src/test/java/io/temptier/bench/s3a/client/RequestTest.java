// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class RequestTest {
  @Test
  void linesAreReadAsTheyWereWritten() {
    Request request = new Request(Work.QUERIES, 54, 3, "s3a://bucket/a folder");
    assertEquals(request, Request.parse(request.line()));
    Answer answer = new Answer(1, 2, 3, 4, "");
    assertEquals(answer, Answer.parse(answer.line()));
    assertEquals("no such file", Answer.parse(Answer.failed("no such\nfile").line()).failure());
  }
}
