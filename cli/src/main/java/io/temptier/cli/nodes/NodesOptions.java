// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.google.auto.value.AutoValue;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Terminal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin with which NodeManagers to ask, and how. */
public final class NodesOptions {
  private static final Duration ONE_NODE = Duration.ofSeconds(10);

  /** They exclude each other. */
  private static final class Which {
    @Option(
        names = "--jmx",
        paramLabel = "URL",
        description =
            "One NodeManager, by its web address: a host, a host and port, or a URL. Default:"
                + " "
                + JmxUrl.DEFAULT
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

  @ArgGroup private @Nullable Which which;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long each node of --rm or --hosts may take. Default: ${DEFAULT-VALUE}.",
      defaultValue = "2s")
  private String timeout = "2s";

  @Mixin private final WebOptions web = new WebOptions();

  /** The nodes to ask. */
  @AutoValue
  public abstract static class Nodes {
    /** What was named: an address or a file. */
    public abstract String name();

    public abstract List<JmxUrl> urls();

    /** Those not worth asking, each with why. */
    public abstract Map<String, String> unasked();

    public static Nodes of(String name, List<JmxUrl> urls, Map<String, String> unasked) {
      return new AutoValue_NodesOptions_Nodes(name, urls, unasked);
    }
  }

  /** Whether one node was named, or none: not a cluster. */
  public boolean single() {
    return which == null || (which.resourceManager == null && which.hosts == null);
  }

  public boolean none() {
    return which == null;
  }

  /** What was named, for people. */
  public String named() {
    if (which == null) {
      return JmxUrl.DEFAULT;
    }
    Object one = which.jmx == null ? which.resourceManager : which.jmx;
    return String.valueOf(one == null ? which.hosts : one);
  }

  /** How they are asked; logs in first, where that is wanted. */
  public FanOut round(Terminal terminal) {
    Duration patience = terminal.parse("--timeout", timeout, Durations::parse);
    web.prepare();
    return new FanOut(web, single() ? ONE_NODE : patience, "NodeManager");
  }

  /**
   * Which nodes there are, asked after {@link #round}. Ends the command when the ResourceManager
   * does not say, or the file names none.
   */
  public Nodes nodes(Terminal terminal) throws InterruptedException {
    if (single()) {
      JmxUrl one = terminal.parse("--jmx " + named(), named(), JmxUrl::parse);
      return Nodes.of(named(), Immutable.listOf(one), Immutable.mapOf());
    }
    Path hosts = Objects.requireNonNull(which).hosts;
    if (hosts != null) {
      return ofFile(terminal, hosts);
    }
    List<JmxUrl> addresses =
        Immutable.listOf(named().split(",", -1)).stream()
            .map(text -> terminal.parse("--rm " + text, text, ResourceManager::parse))
            .collect(Immutable.toList());
    FanOut round = new FanOut(web, ONE_NODE, ResourceManager.DAEMON);
    return ResourceManager.nodes(round, addresses);
  }

  private static Nodes ofFile(Terminal terminal, Path file) {
    Set<JmxUrl> urls = new LinkedHashSet<>();
    try {
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        String place = "--hosts " + file + ", line " + ++number + ", ";
        for (String word : line.replaceFirst("#.*", "").trim().split("\\s+", -1)) {
          if (!word.isEmpty()) {
            urls.add(terminal.parse(place + word, word, JmxUrl::parse));
          }
        }
      }
    } catch (IOException e) {
      throw new CommandFailure("--hosts " + file + " cannot be read: " + e, e);
    }
    if (urls.isEmpty()) {
      throw new CommandFailure("--hosts " + file + " names no node.");
    }
    return Nodes.of(file.toString(), Immutable.listFrom(urls), Immutable.mapOf());
  }
}
