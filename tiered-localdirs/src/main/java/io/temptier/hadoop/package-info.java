// SPDX-License-Identifier: Apache-2.0
/**
 * TempTier inside Hadoop: configuration keys and their checks, the allocator that stands in for
 * Hadoop's own, and what hooks it into a NodeManager.
 */
@NullMarked
package io.temptier.hadoop;

import org.jspecify.annotations.NullMarked;
