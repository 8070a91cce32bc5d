// SPDX-License-Identifier: Apache-2.0
/**
 * Moves of one map output to a slower dir, and the taking back of a move that was cut short: the
 * same in the NodeManager and in a user's helper.
 *
 * <p>May import {@code io.temptier.tier}, no Hadoop and no other package of demotion: helpers have
 * few jars. Another way to move is a {@link io.temptier.shuffle.demotion.move.Mover}. A new name
 * that a move makes is listed in {@link io.temptier.shuffle.demotion.move.Candidate}, and removed
 * by {@link io.temptier.shuffle.demotion.move.Leftovers}.
 */
package io.temptier.shuffle.demotion.move;
