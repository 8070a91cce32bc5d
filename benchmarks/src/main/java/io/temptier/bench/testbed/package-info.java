// SPDX-License-Identifier: Apache-2.0
/** The commands of emulated nodes and stores that outlive them. */
@NullMarked
package io.temptier.bench.testbed;

import org.jspecify.annotations.NullMarked;
