// SPDX-License-Identifier: Apache-2.0
/**
 * {@code bench testbed calibrate}: how slow HDDs must be for an emulated node to be as a published
 * one.
 */
@NullMarked
package io.temptier.bench.calibrate;

import org.jspecify.annotations.NullMarked;
