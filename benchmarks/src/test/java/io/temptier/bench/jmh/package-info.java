// SPDX-License-Identifier: Apache-2.0
/**
 * Microbenchmarks: stock Hadoop beside TempTier in the same run. See docs/benchmarks.md for how to
 * run them.
 */
@NullMarked
package io.temptier.bench.jmh;

import org.jspecify.annotations.NullMarked;
