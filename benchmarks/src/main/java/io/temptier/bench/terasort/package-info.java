// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments of sorts: the same sort on the same emulated node, its temporary data on
 * HDDs, on a fast disk, or on both, with TempTier and without.
 */
@NullMarked
package io.temptier.bench.terasort;

import org.jspecify.annotations.NullMarked;
