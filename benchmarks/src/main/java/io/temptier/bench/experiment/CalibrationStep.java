// SPDX-License-Identifier: Apache-2.0
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
