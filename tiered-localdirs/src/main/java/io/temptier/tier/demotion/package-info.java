// SPDX-License-Identifier: Apache-2.0
/**
 * Moving data to slower dirs: the rate that all movers of a node share, the pace and the copy that
 * keep it, and the mover of Spark's blocks, for executors and for the NodeManager. The mover of map
 * outputs is the shuffle handler's.
 */
package io.temptier.tier.demotion;
