// SPDX-License-Identifier: Apache-2.0
/**
 * What a node is set to, as tasks read it from the marker: how files are placed and moved down.
 * Imports media and policies. A setting is a property of {@code TierSettings}, a key of {@code
 * TierKey}, and its line in {@code ConfReader}.
 */
package io.temptier.tier.settings;
