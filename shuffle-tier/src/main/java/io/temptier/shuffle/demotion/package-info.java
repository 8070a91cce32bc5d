// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps each fast dir of a node below its high mark: {@link io.temptier.shuffle.demotion.Demoter}
 * has a round for each dir, {@link io.temptier.shuffle.demotion.OutputScanner} finds what can
 * leave, {@link io.temptier.shuffle.demotion.DirDrain} says how much has to, {@link
 * io.temptier.shuffle.demotion.Moves} where it goes, a {@link io.temptier.shuffle.demotion.Mover}
 * how. Knows NodeManager and shuffle handler by {@link io.temptier.shuffle.demotion.Demoter.Host}
 * only, and may import {@code io.temptier.shuffle.output} and tiered-localdirs.
 *
 * <p>What {@link io.temptier.shuffle.demotion.MoveBatch} needs runs in a user's helper, too, which
 * has few jars: it imports no Hadoop. A new name that a move makes is listed in {@link
 * io.temptier.shuffle.demotion.Candidate}, and removed by {@link
 * io.temptier.shuffle.demotion.Leftovers}.
 *
 * <p>A new number is a {@link io.temptier.shuffle.demotion.DemotionCounter}, which metrics, {@code
 * status} and docs follow. A new reason to wait or stop belongs into {@link
 * io.temptier.shuffle.demotion.MoveGate}.
 */
package io.temptier.shuffle.demotion;
