// SPDX-License-Identifier: Apache-2.0
/** Goals of benchmarks and whether they were met: as text, as JSON and as a table. */
@NullMarked
package io.temptier.bench.report;

import org.jspecify.annotations.NullMarked;
