// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.report;

import com.google.auto.value.AutoValue;

/** State of TempTier in a NodeManager: whether it places the files, and why. */
@AutoValue
public abstract class NodeState {
  /** Cause in one word, as a metric may carry it. */
  public enum Cause {
    /** TempTier places: the configuration says so, and it started. */
    CONFIGURED,
    SWITCHED_OFF,
    CONFIG_ERROR,
    /** Means that this Hadoop has no place for TempTier to come in. */
    HADOOP_UNKNOWN,
    START_FAILED
  }

  public abstract Cause cause();

  /** Explains the cause in sentences that may quote the configuration. */
  public abstract String reason();

  public static NodeState of(Cause cause, String reason) {
    return new AutoValue_NodeState(cause, reason);
  }

  public final boolean active() {
    return cause() == Cause.CONFIGURED;
  }
}
