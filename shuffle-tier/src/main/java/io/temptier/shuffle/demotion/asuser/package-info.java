// SPDX-License-Identifier: Apache-2.0
/**
 * Moves of other users' outputs, by a process of TempTier's that runs as the user: {@link
 * io.temptier.shuffle.demotion.asuser.UserMover} on the NodeManager's side, {@link
 * io.temptier.shuffle.demotion.asuser.MoveHelper} as the user, and how the one starts the other,
 * tells it what to do, hears of it, and ends it. Neither side trusts the other with more than the
 * user's own files.
 *
 * <p>May import {@code io.temptier.tier}, {@code output}, and Hadoop in one class, {@link
 * io.temptier.shuffle.demotion.asuser.ContainerExecutorProcesses}; of demotion {@code move} alone. A
 * new order is a line of {@link io.temptier.shuffle.demotion.asuser.Orders}, a new report a kind of
 * {@link io.temptier.shuffle.demotion.asuser.HelperReport}.
 */
package io.temptier.shuffle.demotion.asuser;
