// SPDX-License-Identifier: Apache-2.0
/**
 * Moving data to slower dirs. {@link io.temptier.tier.demotion.FileMover} moves a file, whosever it
 * is and whichever process does it, at the node's rate. What of Spark's is moved is decided here,
 * for executors and for the NodeManager; which map outputs are moved is the shuffle handler's.
 *
 * <p>May import placements, rooms and what lies below them; knows no shuffle. Something else to
 * move: a class that chooses files, as {@code ColdBlocks} does, and a {@code FileMover.Owner}.
 */
package io.temptier.tier.demotion;
