// SPDX-License-Identifier: Apache-2.0
/**
 * Measures a workload on an emulated node: the same work, its temporary data on HDDs, on a fast
 * disk, or on both, with TempTier and without, in turn. A workload says what work that is.
 */
@NullMarked
package io.temptier.bench.experiment;

import org.jspecify.annotations.NullMarked;
