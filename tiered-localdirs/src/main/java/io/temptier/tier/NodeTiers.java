// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/**
 * What a node resolved of its configuration and its kernel. The NodeManager publishes it in a
 * marker under each root, so that tasks place by the node's truth without configuration of their
 * own.
 *
 * @param layout the tiers, fastest first
 * @param settings the knobs
 */
public record NodeTiers(TierLayout layout, TierSettings settings) {}
