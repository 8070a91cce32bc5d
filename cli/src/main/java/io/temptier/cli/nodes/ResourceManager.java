// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.tier.lang.Immutable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Asks a ResourceManager which NodeManagers there are. */
final class ResourceManager {
  static final String DAEMON = "ResourceManager";
  private static final int DEFAULT_PORT = 8088;

  /** Nodes in these states are none of the cluster's on purpose. */
  private static final Set<String> LEFT = Immutable.setOf("DECOMMISSIONED", "SHUTDOWN");

  private ResourceManager() {}

  static JmxUrl parse(String text) {
    return JmxUrl.parse(text, DEFAULT_PORT);
  }

  /**
   * The nodes of the cluster, without those that were taken out of it. Ends the command when none
   * of its ResourceManagers answers.
   */
  static NodesOptions.Nodes nodes(FanOut round, List<JmxUrl> addresses)
      throws InterruptedException {
    NodeFailure first = null;
    for (JmxUrl address : addresses) {
      try {
        List<JmxUrl> one = Immutable.listOf(address);
        return round.ask(one, client -> nodes(client, address)).get(0).orThrow();
      } catch (NodeFailure e) {
        first = first == null ? e : first;
      }
    }
    throw Objects.requireNonNull(first, "no address").ofCommand();
  }

  private static NodesOptions.Nodes nodes(JmxClient client, JmxUrl address) throws NodeFailure {
    JsonNode answer = client.json(address.page("/ws/v1/cluster/nodes"), DAEMON);
    if (!answer.has("nodes")) {
      throw new NodeFailure(
          "is no " + DAEMON,
          address
              + " answers, but is no ResourceManager. Name one by --rm HOST:PORT; the port is that"
              + " of yarn.resourcemanager.webapp.address (8088 by default).",
          null);
    }
    // yarn.http.policy is the same for all daemons of a cluster.
    String scheme = String.valueOf(address.base().getScheme());
    // A router lists a node once for each subcluster that knows it, be it gone there.
    Map<String, JmxUrl> urls = new LinkedHashMap<>();
    Map<String, String> unasked = new LinkedHashMap<>();
    for (JsonNode node : answer.path("nodes").path("node")) {
      String state = node.path("state").asText("");
      String web = node.path("nodeHTTPAddress").asText("");
      String id = node.path("id").asText(web);
      if (LEFT.contains(state)) {
        continue;
      }
      try {
        urls.put(id, JmxUrl.parse(scheme + "://" + web));
      } catch (IllegalArgumentException e) {
        // One that is lost has no address.
        unasked.put(id, "the ResourceManager says " + state);
      }
    }
    unasked.keySet().removeAll(urls.keySet());
    if (urls.isEmpty() && unasked.isEmpty()) {
      throw new NodeFailure(
          "no nodes", "The ResourceManager at " + address + " knows no NodeManager.", null);
    }
    return NodesOptions.Nodes.of(
        address.toString(), urls.values().stream().distinct().collect(Immutable.toList()), unasked);
  }
}
