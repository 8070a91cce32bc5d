// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.lab.node.NodeCluster;
import java.util.List;
import java.util.Objects;

/**
 * What arms are measured in, as an experiment's file has it: of jobs a node.
 *
 * @param fastShare the fast disk's size, as a share of the temporary data at its peak; {@link
 *     #FITS} unless it is said
 * @param tasks how many map and reduce tasks the node runs at once; {@link #TASKS} unless it is
 *     said
 * @param foreignShare the share of the fast disk that others' files take, 0 to 1
 * @param hdfsApart whether HDFS lies in the run's folder, and not on the HDDs as on a worker
 * @param arms the labels of those that are measured in it; empty for all
 */
public record Setting(
    String name,
    int hdds,
    double fastShare,
    int tasks,
    double foreignShare,
    boolean hdfsApart,
    List<String> arms) {
  /** With room for what is not used at once, and for file systems that are never to be full. */
  public static final double FITS = 2;

  public static final int TASKS = NodeCluster.TASKS;

  /** Stands between the name of a setting and the Hadoop that it is measured with. */
  public static final String ON_HADOOP = " on Hadoop ";

  public Setting {
    Objects.requireNonNull(name, "name");
    fastShare = fastShare == 0 ? FITS : fastShare;
    tasks = tasks == 0 ? TASKS : tasks;
    arms = arms == null ? List.of() : List.copyOf(arms);
    if (tasks < 0 || foreignShare < 0 || foreignShare >= 1) {
      throw new IllegalArgumentException(
          "tasks=" + tasks + " must be at least 1, foreignShare=" + foreignShare + " from 0 to 1");
    }
  }

  public Setting withHdds(int count) {
    return new Setting(name, count, fastShare, tasks, foreignShare, hdfsApart, arms);
  }

  /** Whether all temporary data has room on the fast disk. */
  public boolean fits() {
    return fastShare >= FITS && foreignShare == 0;
  }

  /** What is unusual about it, for people; empty when nothing is. */
  public String peculiarity() {
    return (tasks == TASKS ? "" : "; " + tasks + " tasks at once")
        + (foreignShare == 0
            ? ""
            : "; others' files on " + Math.round(100 * foreignShare) + " % of the fast disk")
        + (hdfsApart ? "; HDFS not on the HDDs" : "");
  }
}
