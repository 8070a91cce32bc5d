/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.cli.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.CommandFailure;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks a NodeManager for its beans. */
final class JmxClient {
  private static final String NODE_MANAGER = "Hadoop:service=NodeManager,name=";
  private static final String TEMPTIER = NODE_MANAGER + "TempTierInfo";
  private static final String SHUFFLE = NODE_MANAGER + "TempTierShuffleInfo";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final JmxUrl url;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  JmxClient(JmxUrl url) {
    this.url = url;
  }

  /**
   * What TempTier in the NodeManager says of itself.
   *
   * @throws CommandFailure when there is no NodeManager, or it does not run TempTier; tells what to
   *     do
   */
  NodeStatus status() {
    Optional<JsonNode> bean = bean(TEMPTIER);
    if (bean.isPresent()) {
      return NodeStatus.of(url.toString(), bean.get(), bean(SHUFFLE));
    }
    if (bean(NODE_MANAGER + "NodeManagerMetrics").isEmpty()) {
      throw new CommandFailure(
          url
              + " answers, but is no NodeManager. Name one by --jmx HOST:PORT; the port is that of"
              + " yarn.nodemanager.webapp.address (8042 by default).");
    }
    throw new CommandFailure(
        "The NodeManager at "
            + url
            + " does not run TempTier. To switch it on, put the jar of tiered-localdirs on its"
            + " classpath, put into its yarn-site.xml\n"
            + "<property><name>yarn.nodemanager.container-state-transition-listener.classes</name>"
            + "<value>io.temptier.hadoop.NodeManagerTiering</value></property>\n"
            + "and restart it. 'temptier doctor --conf-dir DIR' checks the files first.");
  }

  private Optional<JsonNode> bean(String name) {
    JsonNode beans = get(name).path("beans");
    return beans.isArray() && !beans.isEmpty() ? Optional.of(beans.get(0)) : Optional.empty();
  }

  private JsonNode get(String name) {
    HttpRequest request = HttpRequest.newBuilder(url.query(name)).timeout(TIMEOUT).build();
    HttpResponse<String> response;
    try {
      response = http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandFailure(
          "No NodeManager answers at "
              + url
              + " ("
              + e.getClass().getSimpleName()
              + (e.getMessage() == null ? "" : ": " + e.getMessage())
              + "). Is it running, and is this the address of its web pages"
              + " (yarn.nodemanager.webapp.address)? Name another one by --jmx HOST:PORT.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted while waiting for " + url + ".", e);
    }
    if (response.statusCode() == 401 || response.statusCode() == 403) {
      throw new CommandFailure(
          url
              + " wants to know who asks (HTTP "
              + response.statusCode()
              + "). Save its page, for example with curl --negotiate -u : '"
              + url.query(TEMPTIER)
              + "', or ask from a host that may.");
    }
    if (response.statusCode() != 200) {
      throw new CommandFailure(
          url + " answers with HTTP " + response.statusCode() + ", so it is no NodeManager.");
    }
    try {
      return MAPPER.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new CommandFailure(url + "/jmx is no JSON, so it is no NodeManager.", e);
    }
  }
}
