// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.lab.node.NodeCluster;

/**
 * A node to measure on.
 *
 * @param fastShare the fast disk's size, as a share of the temporary data at its peak
 * @param tasks how many map and reduce tasks the node runs at once
 * @param foreignShare the share of the fast disk that others' files take, 0 to 1
 * @param hdfsApart whether HDFS lies in the run's folder, and not on the HDDs as on a worker
 */
public record NodeSetting(
    String name, int hdds, double fastShare, int tasks, double foreignShare, boolean hdfsApart) {
  /** With room for what is not used at once, and for file systems that are never to be full. */
  public static final double FITS = 2;

  /** Tasks at once, unless something else is asked for. */
  public static final int TASKS = NodeCluster.TASKS;

  public NodeSetting {
    if (tasks < 1 || foreignShare < 0 || foreignShare >= 1) {
      throw new IllegalArgumentException(
          "tasks=" + tasks + " must be at least 1, foreignShare=" + foreignShare + " from 0 to 1");
    }
  }

  public static NodeSetting of(String name, int hdds, double fastShare) {
    return new NodeSetting(name, hdds, fastShare, TASKS, 0, false);
  }

  public NodeSetting withHdds(int count) {
    return new NodeSetting(name, count, fastShare, tasks, foreignShare, hdfsApart);
  }

  public NodeSetting withTasks(int count) {
    return new NodeSetting(name, hdds, fastShare, count, foreignShare, hdfsApart);
  }

  /** This node with others' files on its fast disk. */
  public NodeSetting withForeign(double share) {
    return new NodeSetting(name, hdds, fastShare, tasks, share, hdfsApart);
  }

  /** This node with HDFS beside its disks, so that the HDDs have temporary data only. */
  public NodeSetting withHdfsApart() {
    return new NodeSetting(name, hdds, fastShare, tasks, foreignShare, true);
  }

  /** Whether all temporary data has room on the fast disk. */
  public boolean fits() {
    return fastShare >= FITS && foreignShare == 0;
  }

  /** What is unusual about it, for people; empty when nothing is. */
  String peculiarity() {
    return (tasks == TASKS ? "" : "; " + tasks + " tasks at once")
        + (foreignShare == 0
            ? ""
            : "; others' files on " + Math.round(100 * foreignShare) + " % of the fast disk")
        + (hdfsApart ? "; HDFS not on the HDDs" : "");
  }
}
