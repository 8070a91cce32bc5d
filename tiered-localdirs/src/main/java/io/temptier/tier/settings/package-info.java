// SPDX-License-Identifier: Apache-2.0
/**
 * Settings of a node, as tasks read them from the marker: how files are placed and moved down.
 * Imports media and policies. A setting is a property of {@code TierSettings}, a key of {@code
 * TierKey}, and its line in {@code ConfReader}.
 */
package io.temptier.tier.settings;
