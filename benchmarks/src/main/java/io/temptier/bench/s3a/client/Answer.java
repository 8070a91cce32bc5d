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

import java.util.List;

/**
 * What came of a request.
 *
 * @param nanos how long it took
 * @param bytes that were wanted: read by the reader, or written
 * @param storeBytes that the stream took from the store for them, 0 when it does not say
 * @param requests for objects that it took, 0 when the file system does not count them
 * @param failure why it failed, or empty
 */
public record Answer(long nanos, long bytes, long storeBytes, long requests, String failure) {
  private static final int PARTS = 5;

  static Answer failed(String why) {
    return new Answer(0, 0, 0, 0, why.replaceAll("\\s+", " "));
  }

  /** As a line. */
  String line() {
    return nanos + " " + bytes + " " + storeBytes + " " + requests + " " + failure;
  }

  /** From a line. */
  public static Answer parse(String line) {
    List<String> parts = List.of(line.split(" ", PARTS));
    return new Answer(
        Long.parseLong(parts.get(0)),
        Long.parseLong(parts.get(1)),
        Long.parseLong(parts.get(2)),
        Long.parseLong(parts.get(3)),
        parts.get(4));
  }
}
