// SPDX-License-Identifier: Apache-2.0
/**
 * The NodeManager's side: publishes the tiers to tasks, watches devices, collects journals, reports.
 */
package io.temptier.hadoop.node;
