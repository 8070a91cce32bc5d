// SPDX-License-Identifier: Apache-2.0
/**
 * Shuffle handlers, stock and ours, each in a JVM of its own, under
 * the fetches of many reducers from a fast and a slow disk.
 */
@NullMarked
package io.temptier.bench.shuffle;

import org.jspecify.annotations.NullMarked;
