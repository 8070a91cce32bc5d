// SPDX-License-Identifier: Apache-2.0
/**
 * Serves map outputs so that a slow disk delays only those who read from it. May import {@code
 * io.temptier.shuffle.output}, {@code io.temptier.shuffle.demotion} and tiered-localdirs.
 *
 * <p>A new number of the handler: a constant in {@link ShuffleCounter}, counted where it happens and
 * told by {@link ShuffleReport}; then docs/metrics.md, which a test compares.
 */
package io.temptier.shuffle;
