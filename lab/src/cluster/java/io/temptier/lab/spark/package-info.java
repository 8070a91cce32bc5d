// SPDX-License-Identifier: Apache-2.0
/** A program of Spark: what its driver and its executors run. */
@NullMarked
package io.temptier.lab.spark;

import org.jspecify.annotations.NullMarked;
