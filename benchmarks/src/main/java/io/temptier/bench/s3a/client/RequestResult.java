// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

/**
 * What came of a request.
 *
 * @param bytes that were wanted: read by the reader, or written
 * @param storeBytes that the stream took from the store for them, 0 when it does not say
 * @param requests for objects that it took, 0 when the file system does not count them
 * @param failure why it failed, or empty
 */
public record RequestResult(
    long nanos, long bytes, long storeBytes, long requests, String failure) {
  public static RequestResult failed(String why) {
    return new RequestResult(0, 0, 0, 0, why);
  }
}
