// SPDX-License-Identifier: Apache-2.0
/**
 * The journal of placements: why each file is where it is.
 *
 * <p>May import policies and the operating system. Another event: a member of {@code
 * PlacementRecord.Event}; readers of other versions pass over it.
 */
package io.temptier.tier.journal;
