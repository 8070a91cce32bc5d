// SPDX-License-Identifier: Apache-2.0
/**
 * The NodeManager's side: publishes the tiers to tasks, watches devices, collects journals, reports.
 */
@NullMarked
package io.temptier.hadoop.node;

import org.jspecify.annotations.NullMarked;
