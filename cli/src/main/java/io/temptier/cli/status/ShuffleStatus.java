// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.nodes.NodeFailure;

/**
 * What TempTier's shuffle handler says of itself.
 *
 * @param media the numbers of each medium, fastest first
 * @param lanes the lane of each device
 * @param demotion the numbers of demotion, and why it is off
 */
record ShuffleStatus(JsonNode media, JsonNode lanes, JsonNode demotion) {
  /**
   * Reads the attributes of {@code TempTierShuffleInfo}.
   *
   * @param url where they came from
   */
  static ShuffleStatus of(String url, JsonNode bean) throws NodeFailure {
    return new ShuffleStatus(
        NodeStatus.json(url, bean, "Media"),
        NodeStatus.json(url, bean, "Lanes"),
        NodeStatus.json(url, bean, "Demotion"));
  }
}
