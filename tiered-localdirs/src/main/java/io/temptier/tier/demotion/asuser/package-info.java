// SPDX-License-Identifier: Apache-2.0
/**
 * Moves of other users' files, by a short-lived process of TempTier's that runs as the user: {@link
 * io.temptier.tier.demotion.asuser.UserBatches} on the NodeManager's side, {@link
 * io.temptier.tier.demotion.asuser.BatchProcess} as the user. The command line says all that the
 * process has to know. It says nothing back: the NodeManager looks at what is on the disk, and to
 * stop a batch is to end its process.
 *
 * <p>May import {@code io.temptier.tier} and no Hadoop: a batch has few jars. Other files to move:
 * a class with a {@code main} that begins with a {@code BatchProcess}.
 */
package io.temptier.tier.demotion.asuser;
