// SPDX-License-Identifier: Apache-2.0
/** An emulated worker node: throttled disks, a fast one, and a bound on its memory. */
@NullMarked
package io.temptier.bench.node;

import org.jspecify.annotations.NullMarked;
