/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
