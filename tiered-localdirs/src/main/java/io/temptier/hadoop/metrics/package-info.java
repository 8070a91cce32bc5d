// SPDX-License-Identifier: Apache-2.0
/**
 * Counters and gauges of placements in Hadoop's metrics system.
 */
package io.temptier.hadoop.metrics;
