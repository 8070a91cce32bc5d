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

import java.util.Locale;

/**
 * What was seen of the baseline at one speed of the HDDs.
 *
 * @param iops requests per second of each HDD
 * @param cpu the share of all cores that was at work, 0 to 1
 * @param seconds that the baseline took
 */
public record CalibrationStep(int iops, double cpu, double seconds) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d IOPS: %.0f %% of the cores in %.0f s", iops, 100 * cpu, seconds);
  }
}
