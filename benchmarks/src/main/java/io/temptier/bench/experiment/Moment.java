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

import java.util.Map;
import java.util.TreeMap;

/**
 * What was seen in one interval.
 *
 * @param seconds since the job was submitted, at its end
 * @param cpu share of all cores, 0 to 1, that worked for programs or the kernel
 * @param ioWait share of all cores that idled while something waited for a disk
 * @param disks by name
 * @param tempBytes bytes in local dirs on the fast disk, and on the HDDs
 */
public record Moment(
    double seconds, double cpu, double ioWait, Map<String, DiskRate> disks, TempBytes tempBytes) {
  public Moment {
    disks = new TreeMap<>(disks);
  }

  /**
   * Where temporary data lies.
   *
   * @param fast on the fast disk
   * @param slow on the HDDs
   */
  public record TempBytes(long fast, long slow) {
    /** Both together. */
    public long all() {
      return fast + slow;
    }
  }
}
