// SPDX-License-Identifier: Apache-2.0
/** {@code temptier bench all}: every experiment, one after the other, and one report of all. */
@NullMarked
package io.temptier.bench.all;

import org.jspecify.annotations.NullMarked;
