// SPDX-License-Identifier: Apache-2.0
/**
 * The NodeManager's side. {@link io.temptier.hadoop.node.NodeService} is what its plug-ins share; it
 * publishes the tiers to tasks, watches devices, collects journals and reports.
 */
package io.temptier.hadoop.node;
