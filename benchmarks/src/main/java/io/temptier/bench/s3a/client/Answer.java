// SPDX-License-Identifier: Apache-2.0
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
