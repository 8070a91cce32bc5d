// SPDX-License-Identifier: Apache-2.0
/**
 * A node's memory: totals of applications, and the journals of tasks that it reads for that.
 *
 * <p>May import journals and metrics; knows no service. Another figure of the history: a member of
 * {@code NodeHistory}.
 */
package io.temptier.hadoop.node.history;
