// SPDX-License-Identifier: Apache-2.0
/**
 * Spark's temporary files in the tiers of a node. Spark's folders, its homes, stay where Spark made
 * them, or move to the fast disks. A file on another disk than its home has a link there.
 *
 * <p>May import {@code io.temptier.tier} and what lies below it, and no Hadoop. Another kind of
 * block: a method of {@code TieredDiskBlockManager} that has {@code BlockPlaces} place it.
 */
package io.temptier.spark;
