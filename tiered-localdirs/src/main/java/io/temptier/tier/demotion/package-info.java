// SPDX-License-Identifier: Apache-2.0
/**
 * Moving data to slower dirs: what all movers share, which is the node's rate, the claim below, the
 * copy and the link; and the mover of Spark's blocks, for executors and for the NodeManager. The
 * mover of map outputs is the shuffle handler's.
 */
package io.temptier.tier.demotion;
