// SPDX-License-Identifier: Apache-2.0
/**
 * Many jobs, small and large, replayed from a trace by Hadoop's own Gridmix
 * on the same emulated node, their temporary data on HDDs, on a fast disk, or on both.
 */
@NullMarked
package io.temptier.bench.gridmix;

import org.jspecify.annotations.NullMarked;
