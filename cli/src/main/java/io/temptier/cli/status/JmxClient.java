// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.CommandFailure;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a NodeManager for its beans. */
final class JmxClient {
  private static final String NODE_MANAGER = "Hadoop:service=NodeManager,name=";
  private static final String TEMPTIER = NODE_MANAGER + "TempTierInfo";
  private static final String SHUFFLE = NODE_MANAGER + "TempTierShuffleInfo";
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** Some hundred times what a NodeManager says. */
  private static final int MAX_BYTES = 16 << 20;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** An HTTP code, and the body with code 200. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Answer(int code, byte[] body) {}

  private final JmxUrl url;

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
    FutureTask<Answer> task = new FutureTask<>(() -> ask(url.query(name)));
    Thread thread = new Thread(task, "status of " + url);
    // A command must end although a name server or a NodeManager does not answer.
    thread.setDaemon(true);
    thread.start();
    Answer answer;
    try {
      answer = task.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw noAnswer("not within " + DEADLINE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String message = cause.getMessage() == null ? "" : ": " + cause.getMessage();
      throw noAnswer(cause.getClass().getSimpleName() + message, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted while waiting for " + url + ".", e);
    }
    return beansOf(answer);
  }

  private CommandFailure noAnswer(String why, Throwable cause) {
    return new CommandFailure(
        "No NodeManager answers at "
            + url
            + " ("
            + why
            + "). Is it running, and is this the address of its web pages"
            + " (yarn.nodemanager.webapp.address)? Name another one by --jmx HOST:PORT.",
        cause);
  }

  /** Not by java.net.http, which refuses names with an underscore. */
  private static Answer ask(URI uri) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout((int) DEADLINE.toMillis());
    connection.setReadTimeout((int) DEADLINE.toMillis());
    try {
      int code = connection.getResponseCode();
      if (code != HttpURLConnection.HTTP_OK) {
        return new Answer(code, new byte[0]);
      }
      try (InputStream in = connection.getInputStream()) {
        return new Answer(code, in.readNBytes(MAX_BYTES + 1));
      }
    } finally {
      connection.disconnect();
    }
  }

  private JsonNode beansOf(Answer answer) {
    if (answer.code() == 401 || answer.code() == 403) {
      throw new CommandFailure(
          url
              + " wants to know who asks (HTTP "
              + answer.code()
              + "). Save its page, for example with curl --negotiate -u : '"
              + url.query(TEMPTIER)
              + "', or ask from a host that may.");
    }
    if (answer.code() != HttpURLConnection.HTTP_OK) {
      throw new CommandFailure(
          url + " answers with HTTP " + answer.code() + ", so it is no NodeManager.");
    }
    if (answer.body().length > MAX_BYTES) {
      throw new CommandFailure(
          url + "/jmx is larger than " + Sizes.format(MAX_BYTES) + ", so it is no NodeManager.");
    }
    try {
      return MAPPER.readTree(answer.body());
    } catch (IOException e) {
      throw new CommandFailure(url + "/jmx is no JSON, so it is no NodeManager.", e);
    }
  }
}
