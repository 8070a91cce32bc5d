// SPDX-License-Identifier: Apache-2.0
/**
 * The shuffle handler that a NodeManager is configured with: starts and stops, checks requests,
 * shows numbers. May import all other packages of this module, and none of them this one.
 *
 * <p>A new number of the handler: a constant in {@link io.temptier.shuffle.ShuffleCounter}, counted
 * where it happens and told by {@link io.temptier.shuffle.ShuffleReport}; then docs/metrics.md,
 * which a test compares.
 */
package io.temptier.shuffle;
