// SPDX-License-Identifier: Apache-2.0
/** {@code gridmix}: traces written for Gridmix and Rumen's tools, and how much is in one. */
@NullMarked
package io.temptier.bench.trace;

import org.jspecify.annotations.NullMarked;
