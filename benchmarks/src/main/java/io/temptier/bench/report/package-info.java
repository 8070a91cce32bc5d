// SPDX-License-Identifier: Apache-2.0
/**
 * Goals of benchmarks and whether they were met, samples with their spread, and facts of the
 * machine.
 */
@NullMarked
package io.temptier.bench.report;

import org.jspecify.annotations.NullMarked;
