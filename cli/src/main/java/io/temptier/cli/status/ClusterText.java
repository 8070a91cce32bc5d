// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import io.temptier.cli.Plural;
import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The view of a cluster for people: sums, one line for each node, what differs. */
final class ClusterText {
  private static final int MOST_NAMES = 5;
  private static final int LONGEST_NODE = 24;

  private final PrintWriter out;
  private final int width;

  /** Prints lines of at most {@code width} columns, and cuts those that are longer. */
  ClusterText(PrintWriter out, int width) {
    this.out = out;
    this.width = width;
  }

  /** Prints it; the worst nodes come first. */
  void print(ClusterStatus status) {
    headings(status).forEach(this::line);
    line("");
    table(status).forEach(this::line);
    drift(status).forEach(this::line);
  }

  private void line(String text) {
    out.println(text.length() <= width ? text : text.substring(0, width - 3) + "...");
  }

  private List<String> headings(ClusterStatus status) {
    List<String> lines = new ArrayList<>();
    String counts =
        status.counts().entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey().label())
            .collect(Collectors.joining(", "));
    String nodes = Plural.of(status.nodes().size(), "node");
    lines.addAll(Wrap.lines(nodes + ": " + counts, width));
    lines.add("Asked: " + status.cluster());
    for (TierSum tier : status.tiers()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s: %s of %s used (%s), %s placed, %s of it spilled here",
              tier.medium(),
              Sizes.format(
                  Math.max(
                      0, tier.get(TierCounter.CAPACITY_BYTES) - tier.get(TierCounter.FREE_BYTES))),
              Sizes.format(tier.get(TierCounter.CAPACITY_BYTES)),
              percent(tier.fill()),
              Sizes.format(tier.get(TierCounter.BYTES_PLACED)),
              percent(tier.spilledShare())));
    }
    return lines;
  }

  private List<String> table(ClusterStatus status) {
    Table<NodeStatus> columns =
        new Table<NodeStatus>()
            .add("NODE", node -> shortened(node.node()))
            .add("STATE", node -> node.trouble().label());
    for (int i = 0; i < status.tiers().size(); i++) {
      String medium = status.tiers().get(i).medium();
      // Nothing is spilled to the fastest.
      boolean fastest = i == 0;
      columns.add(
          ">" + medium + (fastest ? "" : " (SPILLED)"),
          node -> node.tier(medium).map(tier -> cell(tier, fastest)).orElse("-"));
    }
    if (width > Table.WIDTH) {
      columns.add("VERSION", node -> node.told() ? node.text("version") : "-");
      columns.add("CONF", node -> node.told() ? node.text("fingerprint") : "-");
    }
    // A reason may be of several lines; status --jmx of the node has all of it.
    return columns
        .add("WHAT", node -> Strings.lines(node.what()).findFirst().orElse(""))
        .lines("", status.nodes(), Integer.MAX_VALUE);
  }

  private static String cell(TierSum tier, boolean fastest) {
    return percent(tier.fill()) + (fastest ? "" : " (" + percent(tier.spilledShare()) + ")");
  }

  /** Without the domain; of what is longer still the end is shown, where names differ. */
  private static String shortened(String node) {
    int colon = node.lastIndexOf(':');
    String port = colon < 0 ? "" : node.substring(colon);
    String host = colon < 0 ? node : node.substring(0, colon);
    int keep = LONGEST_NODE - port.length();
    if (host.length() > keep && Character.isLetter(host.charAt(0))) {
      host = host.split("\\.", 2)[0];
    }
    return (host.length() <= keep ? host : ".." + host.substring(host.length() - keep + 2)) + port;
  }

  private static String percent(double share) {
    return Math.round(share * 100) + "%";
  }

  private List<String> drift(ClusterStatus status) {
    List<String> lines = new ArrayList<>();
    for (ClusterStatus.Drift drift : status.drift()) {
      String others =
          drift.others().entrySet().stream()
              .map(other -> other.getKey() + " on " + names(other.getValue()))
              .collect(Collectors.joining("; "));
      lines.addAll(
          Wrap.lines(
              "Most nodes have " + drift.what() + " " + drift.most() + ", but " + others + ".",
              width));
    }
    if (!lines.isEmpty()) {
      lines.add(0, "");
    }
    return lines;
  }

  private static String names(List<String> nodes) {
    String first = nodes.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    int more = nodes.size() - MOST_NAMES;
    return first + (more > 0 ? " and " + more + " more" : "");
  }
}
