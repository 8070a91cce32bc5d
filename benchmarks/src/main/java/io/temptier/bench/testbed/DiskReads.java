// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

/**
 * What a disk was asked to read, as the kernel counts it.
 *
 * @param requests that reached it, merged ones once
 * @param bytes of them
 */
public record DiskReads(long requests, long bytes) {
  /** What was read since {@code before}. */
  public DiskReads since(DiskReads before) {
    return new DiskReads(requests - before.requests, bytes - before.bytes);
  }

  /** The mean bytes of a request; 0 when there was none. */
  public long bytesPerRequest() {
    return requests == 0 ? 0 : bytes / requests;
  }
}
