// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.tier.Medium;
import java.util.Map;

/**
 * What lay on the tiers at one moment.
 *
 * @param seconds since the cluster was up
 * @param bytes per medium, of all nodes together
 */
record TierSample(double seconds, Map<Medium, Long> bytes) {
  TierSample {
    bytes = Map.copyOf(bytes);
  }
}
