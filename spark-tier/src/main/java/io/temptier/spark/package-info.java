// SPDX-License-Identifier: Apache-2.0
/**
 * Spark's temporary files in the tiers of a node. The fast disks are home to all of an executor's
 * files; what does not fit there lies on a slower disk, and a link at home leads to it.
 */
package io.temptier.spark;
