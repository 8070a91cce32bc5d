// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * What the ResourceManager knows of an application.
 *
 * @param id such as {@code application_1_0001}
 * @param finalStatus such as {@code SUCCEEDED}, {@code UNDEFINED} while it runs
 * @param finishedMillis when it ended, 0 while it runs
 */
public record Application(
    String id,
    String name,
    String state,
    String finalStatus,
    long startedMillis,
    long finishedMillis) {
  private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");

  static Application of(JsonNode node) {
    return new Application(
        node.path("id").asText(),
        node.path("name").asText(),
        node.path("state").asText(),
        node.path("finalStatus").asText(),
        node.path("startedTime").asLong(),
        node.path("finishedTime").asLong());
  }

  public boolean ended() {
    return ENDED.contains(state);
  }

  String jobId() {
    return id.replace("application_", "job_");
  }

  /** From its submission to its end; 0 while it runs. */
  double seconds() {
    return ended() ? (finishedMillis - startedMillis) / 1e3 : 0;
  }
}
