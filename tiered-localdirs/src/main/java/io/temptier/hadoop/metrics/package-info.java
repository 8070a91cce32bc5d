// SPDX-License-Identifier: Apache-2.0
/**
 * Counters and gauges of placements in Hadoop's metrics system.
 */
@NullMarked
package io.temptier.hadoop.metrics;

import org.jspecify.annotations.NullMarked;
