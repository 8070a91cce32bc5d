// SPDX-License-Identifier: Apache-2.0
/** {@code bench testbed}: an emulated worker node to try things on, and how slow to make it. */
@NullMarked
package io.temptier.bench.testbed;

import org.jspecify.annotations.NullMarked;
