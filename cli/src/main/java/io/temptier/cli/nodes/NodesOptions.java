// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Terminal;
import io.temptier.cli.nodes.JmxClient.NodeFailure;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.text.Durations;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin with which NodeManagers to ask, and how. */
public final class NodesOptions {
  private static final Duration ONE_DAEMON = Duration.ofSeconds(10);
  private static final Duration ONE_OF_MANY = Duration.ofSeconds(2);
  private static final int NODE_MANAGERS_PORT = 8042;
  private static final int RESOURCE_MANAGERS_PORT = 8088;
  private static final int MAX_PORT = 65535;
  private static final String NODES = "/ws/v1/cluster/nodes";

  /** Address at which a NodeManager of this machine serves its pages by default. */
  private static final String DEFAULT = "http://localhost:" + NODE_MANAGERS_PORT;

  /**
   * A name, an IPv4 address or an IPv6 address in brackets, with a port or without. Not by {@link
   * URI}, which knows no host with an underscore: Docker and Windows give such names.
   */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:(?<web>https?)://)?(?<host>[\\w.-]+|\\[[0-9a-f:.]+(?:%\\w+)?\\])"
              + "(?::(?<port>\\d{1,5}))?(?:[/?#]\\S*)?");

  /** Nodes in these states are none of the cluster's on purpose. */
  private static final Set<String> LEFT = Immutable.setOf("DECOMMISSIONED", "SHUTDOWN");

  /** They exclude each other. */
  private static final class Which {
    @Option(
        names = "--jmx",
        paramLabel = "URL",
        description =
            "One NodeManager, by its web address: a host, a host and port, or a URL. Default: "
                + DEFAULT
                + ".")
    private @Nullable String jmx;

    @Option(
        names = "--rm",
        paramLabel = "URL",
        description =
            "All NodeManagers of a cluster, by its ResourceManager's web address. Several addresses"
                + " of one cluster are parted by commas; the first that answers is asked.")
    private @Nullable String resourceManager;

    @Option(
        names = "--hosts",
        paramLabel = "FILE",
        description =
            "The NodeManagers in a file, by their web addresses, parted by blanks or lines; #"
                + " begins a comment.")
    private @Nullable Path hosts;
  }

  @ArgGroup private @Nullable Which target;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description =
          "How long each daemon may take. Default: 10s, 2s for a node of --rm or --hosts.")
  private @Nullable String timeout;

  @Mixin private final WebOptions web = new WebOptions();

  private Duration patience = ONE_DAEMON;
  private @Nullable URI resourceManager;

  /** True if one node was named, or none: not a cluster. */
  public boolean single() {
    return target == null || (target.resourceManager == null && target.hosts == null);
  }

  public boolean none() {
    return target == null;
  }

  /** Returns what was named, for people. */
  public String named() {
    if (target == null) {
      return DEFAULT;
    }
    Object one = target.jmx == null ? target.resourceManager : target.jmx;
    return String.valueOf(one == null ? target.hosts : one);
  }

  /** Returns what was asked: a node, the ResourceManager that answered, or a file. */
  public String asked() {
    return resourceManager == null ? named() : resourceManager.toString();
  }

  /**
   * Asks each node. Ends the command when the only one that was named does not tell, the
   * ResourceManager does not say which there are, or the file names none.
   *
   * @param answered takes what a node says, by its host and port
   * @param silent takes why one did not, or is not worth asking
   */
  public <T> void ask(
      Terminal terminal,
      JmxClient.Query<T> question,
      BiConsumer<String, T> answered,
      BiConsumer<String, NodeFailure> silent)
      throws InterruptedException {
    patience =
        timeout == null ? ONE_DAEMON : terminal.parse("--timeout", timeout, Durations::parse);
    web.prepare();
    List<JmxClient> nodes = new ArrayList<>();
    for (URI url : urls(terminal, silent)) {
      Duration ofNode = timeout == null && !single() ? ONE_OF_MANY : patience;
      nodes.add(new JmxClient(web, url, ofNode, "NodeManager"));
    }
    List<CompletableFuture<T>> answers = JmxClient.askAll(nodes, question);
    for (int i = 0; i < nodes.size(); i++) {
      JmxClient node = nodes.get(i);
      try {
        answered.accept(node.node(), node.answer(answers.get(i)));
      } catch (NodeFailure e) {
        if (single()) {
          throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        silent.accept(node.node(), e);
      }
    }
  }

  private Collection<URI> urls(Terminal terminal, BiConsumer<String, NodeFailure> silent)
      throws InterruptedException {
    Path hosts = target == null ? null : target.hosts;
    if (hosts != null) {
      return ofFile(terminal, hosts);
    }
    if (single()) {
      URI one = terminal.parse("--jmx " + named(), named(), NodesOptions::address);
      return Immutable.listOf(one);
    }
    List<JmxClient> managers = new ArrayList<>();
    for (String text : named().split(",", -1)) {
      URI url =
          terminal.parse("--rm " + text, text, typed -> address(typed, RESOURCE_MANAGERS_PORT));
      managers.add(new JmxClient(web, url, patience, "ResourceManager"));
    }
    NodeFailure first = null;
    for (JmxClient manager : managers) {
      try {
        JsonNode answer =
            manager.answer(
                JmxClient.askAll(Immutable.listOf(manager), client -> client.json(NODES)).get(0));
        resourceManager = manager.url();
        return ofResourceManager(manager, answer, silent);
      } catch (NodeFailure e) {
        first = first == null ? e : first;
      }
    }
    NodeFailure why = Objects.requireNonNull(first, "no address");
    throw new CommandFailure(String.valueOf(why.getMessage()), why);
  }

  private static Set<URI> ofFile(Terminal terminal, Path file) {
    Set<URI> urls = new LinkedHashSet<>();
    try {
      int number = 0;
      // A comment may be in any encoding.
      for (String line : Io.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1)) {
        String place = "--hosts " + file + ", line " + ++number + ", ";
        for (String word : line.replaceFirst("#.*", "").trim().split("\\s+", -1)) {
          if (!word.isEmpty()) {
            urls.add(terminal.parse(place + word, word, NodesOptions::address));
          }
        }
      }
    } catch (IOException e) {
      throw new CommandFailure("--hosts " + file + " cannot be read: " + e, e);
    }
    if (urls.isEmpty()) {
      throw new CommandFailure("--hosts " + file + " names no node.");
    }
    return urls;
  }

  /** The nodes of the cluster, without those that were taken out of it. */
  private static Set<URI> ofResourceManager(
      JmxClient manager, JsonNode answer, BiConsumer<String, NodeFailure> silent)
      throws NodeFailure {
    if (!answer.has("nodes")) {
      throw manager.failure("no.resourcemanager", null);
    }
    // yarn.http.policy is the same for all daemons of a cluster.
    String scheme = manager.url().getScheme();
    // A router lists a node once for each subcluster that knows it, be it gone there.
    Map<String, URI> urls = new LinkedHashMap<>();
    Map<String, NodeFailure> unasked = new LinkedHashMap<>();
    for (JsonNode node : answer.path("nodes").path("node")) {
      String state = node.path("state").asText("");
      String address = node.path("nodeHTTPAddress").asText("");
      String id = node.path("id").asText(address);
      if (LEFT.contains(state)) {
        continue;
      }
      try {
        urls.put(id, address(scheme + "://" + address));
      } catch (IllegalArgumentException e) {
        // One that is lost has no address.
        unasked.put(id, manager.failure("state", e, state));
      }
    }
    unasked.keySet().removeAll(urls.keySet());
    if (urls.isEmpty() && unasked.isEmpty()) {
      throw manager.failure("no.nodes", null);
    }
    unasked.forEach(silent);
    return new LinkedHashSet<>(urls.values());
  }

  /**
   * The address of a NodeManager's pages, from what people type: a host, a host and port, or a URL
   * with or without {@code /jmx}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static URI address(String text) {
    return address(text, NODE_MANAGERS_PORT);
  }

  /** Parses an address, with this port for a host alone. */
  private static URI address(String text, int defaultPort) {
    // Neither schemes nor names of hosts differ by their case.
    Matcher parts = ADDRESS.matcher(text.trim().toLowerCase(Locale.ROOT));
    String port = parts.matches() ? parts.group("port") : "none";
    if (!parts.matches() || (port != null && Integer.parseInt(port) > MAX_PORT)) {
      throw new IllegalArgumentException("expected HOST, HOST:PORT or http://HOST:PORT");
    }
    String web = parts.group("web");
    // A port is left out of URLs behind a proxy, and of bare hosts by habit.
    String colon = port != null ? ":" + port : web == null ? ":" + defaultPort : "";
    return URI.create((web == null ? "http" : web) + "://" + parts.group("host") + colon);
  }
}
