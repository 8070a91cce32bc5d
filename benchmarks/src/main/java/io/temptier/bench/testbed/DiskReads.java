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
