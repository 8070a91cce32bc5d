// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

/**
 * Totals of applications' temporary data on this node: {@code
 * Hadoop:service=NodeManager,name=TempTierHistory}. It names no files; applications and users are
 * on the NodeManager's own pages too.
 */
public interface TempTierHistoryMXBean {
  /** The applications that run here and the last that ended, as docs/operations.md tells. */
  String getApplications();
}
