// SPDX-License-Identifier: Apache-2.0
/**
 * Counters and gauges of placements in Hadoop's metrics system.
 *
 * <p>May import the model, policies, claims, rooms and the journal; knows neither allocator nor
 * NodeManager. Another metric: a member of {@code TierCounter} and the place that counts; {@code
 * docs/metrics.md} is generated.
 */
package io.temptier.hadoop.metrics;
