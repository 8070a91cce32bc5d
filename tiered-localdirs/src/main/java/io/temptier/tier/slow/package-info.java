// SPDX-License-Identifier: Apache-2.0
/**
 * Which dirs have become slower than the tier below them.
 */
@NullMarked
package io.temptier.tier.slow;

import org.jspecify.annotations.NullMarked;
