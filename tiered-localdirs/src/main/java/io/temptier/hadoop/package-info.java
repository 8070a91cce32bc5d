// SPDX-License-Identifier: Apache-2.0
/**
 * TempTier inside Hadoop. This package has the class that a NodeManager is configured with; those
 * below it have the configuration, the allocator that stands in for Hadoop's own, the NodeManager's
 * side and its metrics.
 *
 * <p>May import all of this module.
 */
package io.temptier.hadoop;
