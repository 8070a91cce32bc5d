// SPDX-License-Identifier: Apache-2.0
/**
 * {@code temptier demo}: one real job on a real cluster whose fast tier is too small for everything,
 * and a report of what was measured.
 */
@NullMarked
package io.temptier.bench.demo;

import org.jspecify.annotations.NullMarked;
