// SPDX-License-Identifier: Apache-2.0
/**
 * Moving data to slower dirs. {@link io.temptier.tier.demotion.FileMover} moves a file, whosever it
 * is and whichever process does it, at the node's rate. What of Spark's is moved is decided here,
 * for executors and for the NodeManager; which map outputs are moved is the shuffle handler's.
 *
 * <p>Other users' files are moved by a short-lived process that runs as the user: {@link
 * io.temptier.tier.demotion.UserBatches} on the NodeManager's side, {@link
 * io.temptier.tier.demotion.BatchProcess} as the user. The command line says all that the process
 * has to know. It says nothing back: the NodeManager looks at what is on the disk, and to stop a
 * batch is to end its process.
 *
 * <p>May import placements, rooms and what lies below them; knows no shuffle, and no Hadoop, as a
 * batch has few jars. Something else to move: a class that chooses files, as {@code ColdBlocks}
 * does, and a {@code FileMover.Owner}; for other users a {@code main} that begins with a {@code
 * BatchProcess}.
 */
package io.temptier.tier.demotion;
