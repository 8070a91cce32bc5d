// SPDX-License-Identifier: Apache-2.0
/**
 * The choice among tiers: what is asked, what is known of each dir, and the policy that says where
 * a new file goes, and why. Imports media, tiers and texts. A limit is a field of {@code
 * PlacementRequest} that policies heed.
 */
package io.temptier.tier.policy;
