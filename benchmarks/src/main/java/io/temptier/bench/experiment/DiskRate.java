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
package io.temptier.bench.experiment;

/**
 * What a disk did in a moment.
 *
 * @param readMbps MB/s read
 * @param writtenMbps MB/s written
 * @param busy 0 to 1: of a throttled disk the share of what it may do, of another the share of time
 *     it had a request in work
 */
public record DiskRate(double readMbps, double writtenMbps, double busy) {
  /** Both ways. */
  public double mbps() {
    return readMbps + writtenMbps;
  }
}
