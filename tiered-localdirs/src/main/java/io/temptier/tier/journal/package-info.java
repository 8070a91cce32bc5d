// SPDX-License-Identifier: Apache-2.0
/**
 * The journal of placements: why each file is where it is.
 */
package io.temptier.tier.journal;
