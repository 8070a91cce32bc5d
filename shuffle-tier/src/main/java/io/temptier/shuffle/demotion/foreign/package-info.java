// SPDX-License-Identifier: Apache-2.0
/**
 * Moves of other users' outputs: {@link io.temptier.shuffle.demotion.foreign.UserMover} on the
 * NodeManager's side, {@link io.temptier.shuffle.demotion.foreign.MoveHelper} as the user.
 *
 * <p>May import {@code move} and {@code asuser}. What a helper is told at its start is its {@code
 * task}; what it is told later is an order of {@code asuser}, and what it says a report.
 */
package io.temptier.shuffle.demotion.foreign;
