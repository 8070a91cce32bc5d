// SPDX-License-Identifier: Apache-2.0
/**
 * What a node remembers: totals of applications, how full tiers were, and the journals of tasks that
 * it reads for that. Knows no service. A figure of the history is a member of {@code NodeHistory}.
 */
package io.temptier.hadoop.node.history;
