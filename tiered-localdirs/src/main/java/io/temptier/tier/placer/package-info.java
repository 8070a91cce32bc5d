// SPDX-License-Identifier: Apache-2.0
/**
 * Placement of a file: asks the policy, claims the bytes, checks that they fit, and follows the
 * file until it is complete.
 *
 * <p>May import claims, rooms, policies and the marker; knows neither journals nor moves, which
 * listen. Whoever wants to hear of placements is a {@code PlacementListener}.
 */
package io.temptier.tier.placer;
