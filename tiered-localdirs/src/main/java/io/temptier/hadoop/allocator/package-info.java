// SPDX-License-Identifier: Apache-2.0
/**
 * The allocator that stands in for Hadoop's own, and how it is put in its place.
 *
 * <p>May import the placer and what lies below it, the configuration's keys and counters of tasks;
 * knows no NodeManager. Another source of tiers: {@code TieredLocalDirs.tiers}.
 */
package io.temptier.hadoop.allocator;
