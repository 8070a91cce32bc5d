// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.util.Set;

/**
 * What the ResourceManager knows of an application.
 *
 * @param id such as {@code application_1_0001}
 * @param finalStatus such as {@code SUCCEEDED}, {@code UNDEFINED} while it runs
 * @param startedTime milliseconds since the epoch
 * @param finishedTime the same, 0 while it runs
 */
public record Application(
    String id, String name, String state, String finalStatus, long startedTime, long finishedTime) {
  private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");

  public boolean ended() {
    return ENDED.contains(state);
  }

  String jobId() {
    return id.replace("application_", "job_");
  }

  /** From its submission to its end; 0 while it runs. */
  double seconds() {
    return ended() ? (finishedTime - startedTime) / 1e3 : 0;
  }
}
