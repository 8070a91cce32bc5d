// SPDX-License-Identifier: Apache-2.0
/**
 * What the NodeManager leaves in each local dir for the tasks of the node: its tiers and settings.
 */
package io.temptier.tier.marker;
