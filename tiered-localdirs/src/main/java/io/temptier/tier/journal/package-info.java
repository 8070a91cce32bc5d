// SPDX-License-Identifier: Apache-2.0
/**
 * The journal of placements: why each file is where it is.
 */
@NullMarked
package io.temptier.tier.journal;

import org.jspecify.annotations.NullMarked;
