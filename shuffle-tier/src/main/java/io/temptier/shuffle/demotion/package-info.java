// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps each fast dir of a node below its high mark: {@link io.temptier.shuffle.demotion.Demoter}
 * has a round for each dir, {@link io.temptier.shuffle.demotion.OutputScanner} finds what can
 * leave, {@link io.temptier.shuffle.demotion.DirDrain} says how much has to, {@link
 * io.temptier.shuffle.demotion.Moves} where it goes. Knows NodeManager and shuffle handler by
 * {@link io.temptier.shuffle.demotion.DemotionHost} only.
 *
 * <p>May import its sub-packages and tiered-localdirs; they import nothing of this one. A new
 * number is a {@link io.temptier.shuffle.demotion.DemotionCounter}, which metrics, {@code status}
 * and docs follow. A new reason to wait or stop belongs into {@link
 * io.temptier.shuffle.demotion.MoveGate}.
 */
package io.temptier.shuffle.demotion;
