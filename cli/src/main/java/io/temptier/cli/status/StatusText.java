// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static io.temptier.cli.status.NodeStatus.value;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.cli.status.NodeStatus.Trouble;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.shuffle.ShuffleCounter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The status for people, of one node or of many. */
final class StatusText {
  private static final int LONGEST_NODE = 24;

  private final PrintWriter out;
  private final int width;
  private final Terminal terminal;

  StatusText(PrintWriter out, int width, Terminal terminal) {
    this.out = out;
    this.width = width;
    this.terminal = terminal;
  }

  void print(String asked, List<NodeStatus> nodes, Map<Trouble, Long> counts, List<TierSum> tiers) {
    String sums =
        counts.entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey().label())
            .collect(Collectors.joining(", "));
    Words.wrap(out, Words.plural(nodes.size(), "node") + ": " + sums);
    out.println("Asked: " + asked);
    printTiers(tiers);
    Table<NodeStatus> columns =
        new Table<NodeStatus>()
            .add("NODE", node -> shortened(node.node()))
            .add("STATE", node -> node.trouble().label());
    for (TierSum each : tiers) {
      // Nothing is spilled to the fastest.
      boolean fastest = each.equals(tiers.get(0));
      Function<TierSum, String> spilled =
          tier -> fastest ? "" : " (" + Words.percent(tier.spilledShare()) + ")";
      columns.add(
          ">" + each.medium() + (fastest ? "" : " (SPILLED)"),
          node ->
              node.tiers().stream()
                  .filter(tier -> tier.medium().equals(each.medium()))
                  .map(tier -> Words.percent(tier.fill()) + spilled.apply(tier))
                  .findFirst()
                  .orElse("-"));
    }
    if (width > Table.WIDTH) {
      columns.add("VERSION", node -> node.told() ? node.text("version") : "-");
      columns.add("CONF", node -> node.told() ? node.text("fingerprint") : "-");
    }
    // A reason may be of several lines; status --jmx of the node has all of it.
    columns.add("WHAT", node -> Strings.lines(node.what()).findFirst().orElse(""));
    out.println();
    List<String> lines = columns.lines("", nodes, Integer.MAX_VALUE);
    for (String line : lines) {
      out.println(line.length() <= width ? line : line.substring(0, width - 3) + "...");
    }
    if (lines.stream().anyMatch(line -> line.length() > width)) {
      out.println("--wide shows whole lines, status --jmx NODE all of a node.");
    }
  }

  /**
   * Shortens a node's name to its host without the domain; if it is still too long the end is
   * shown, where names differ.
   */
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

  /** Prints all that a node tells: the answer, then the figures, then what to look into. */
  void print(NodeStatus status) {
    boolean active = status.active();
    String mode = terminal.styled(active ? "bold,green" : "bold,red", status.text("mode"));
    String why = status.text("modeReason");
    Words.wrap(out, "NodeManager " + status.text("url") + ": " + mode + (active ? ", " + why : ""));
    out.println(
        "TempTier " + status.text("version") + ", configuration " + status.text("fingerprint"));
    if (active) {
      Words.wrap(
          out,
          status.what().isEmpty()
              ? terminal.styled("green", "State: fine")
              : "State: " + status.trouble().label() + ", " + status.what());
      printTiers(status.tiers());
      printSpilled(status);
      printShuffle(status.tree("shuffle"));
      printDetails(status);
    } else if (status.findings("ERROR").isEmpty()) {
      indented(why);
    }
    printFindings(status);
  }

  private void indented(String text) {
    Words.wrap(out, text, "  ", "  ");
  }

  private void printTiers(List<TierSum> tiers) {
    out.println();
    new Table<TierSum>()
        .add("TIER", TierSum::medium)
        .add(">DIRS", tier -> tier.get(TierCounter.DIRS) + "")
        .bytes("SIZE", tier -> tier.get(TierCounter.CAPACITY_BYTES))
        .bytes("FREE", tier -> tier.get(TierCounter.FREE_BYTES))
        .wideBytes("CLAIMED", tier -> tier.get(TierCounter.CLAIMED_BYTES))
        .wideBytes("RESERVE", tier -> tier.get(TierCounter.RESERVE_BYTES))
        .bytes("ROOM", tier -> tier.get(TierCounter.HEADROOM_BYTES))
        .wide(">FILES", tier -> tier.get(TierCounter.FILES_PLACED) + "")
        .bytes("PLACED", tier -> tier.get(TierCounter.BYTES_PLACED))
        .bytes("SPILLED", tier -> tier.get(TierCounter.BYTES_SPILLED_HERE))
        .wide(">ERRORS", tier -> tier.get(TierCounter.DIR_ERRORS) + "")
        .print(out, "", tiers, width);
  }

  private static String medium(JsonNode json) {
    return json.path("medium").asText();
  }

  private static String size(JsonNode json, Metric metric) {
    return Sizes.format(value(json, metric));
  }

  private void printSpilled(NodeStatus status) {
    JsonNode node = status.tree("node");
    String files = Words.plural(value(node, TierCounter.FILES_SPILLED_DOWN), "file");
    out.println();
    out.println("Spilled down: " + files + ", " + size(node, TierCounter.BYTES_SPILLED_DOWN));
    for (TierSum tier : status.tiers()) {
      String medium = tier.medium();
      for (Reason reason : Reason.values()) {
        long refused = TierCounter.refusedFor(reason).map(tier::get).orElse(0L);
        if (refused > 0) {
          out.println("  " + refused + " refused by " + medium + ": " + reason.text());
        }
      }
      long over = tier.get(TierCounter.FILES_OVER_RESERVE);
      if (over > 0) {
        out.println("  " + over + " on " + medium + ": " + Reason.OVER_RESERVE.text());
      }
    }
    long blocks = value(node, TierCounter.BLOCKS_DEMOTED);
    if (blocks > 0) {
      String size = size(node, TierCounter.BLOCK_BYTES_DEMOTED);
      out.println("Demoted: " + Words.plural(blocks, "block") + " of Spark, " + size);
    }
  }

  private void printShuffle(JsonNode shuffle) {
    out.println();
    if (!shuffle.isObject()) {
      Words.wrap(
          out,
          "Shuffle: stock Hadoop serves map outputs, and nothing is demoted. To change that, set"
              + " yarn.nodemanager.aux-services.mapreduce_shuffle.class to"
              + " io.temptier.shuffle.TieredShuffleHandler; where it is set already, the"
              + " NodeManager's log says why it is not used.");
      return;
    }
    new Table<JsonNode>()
        .add("SHUFFLE", StatusText::medium)
        .add(">SEGMENTS", medium -> value(medium, ShuffleCounter.SEGMENTS_SENT) + "")
        .bytes("SENT", medium -> value(medium, ShuffleCounter.BYTES_SENT))
        .add(">READ MS P50", medium -> millis(medium, ShuffleCounter.READ_LATENCY_P50_MICROS))
        .add(">P99", medium -> millis(medium, ShuffleCounter.READ_LATENCY_P99_MICROS))
        .add(">P99.9", medium -> millis(medium, ShuffleCounter.READ_LATENCY_P999_MICROS))
        .add(">STALLS", medium -> value(medium, ShuffleCounter.READ_STALLS) + "")
        .add(">WAITING", medium -> value(medium, ShuffleCounter.QUEUE_DEPTH) + "")
        .print(out, "", NodeStatus.list(shuffle.path("media")), width);
    out.println();
    printDemotion(shuffle.path("demotion"));
  }

  /** No read takes 0 microseconds: none was seen. */
  private static String millis(JsonNode medium, Metric metric) {
    long micros = value(medium, metric);
    return micros == 0 ? "-" : String.format(Locale.ROOT, "%.1f", micros / 1000.0);
  }

  private void printDemotion(JsonNode demotion) {
    boolean moving = value(demotion, DemotionCounter.DEMOTION_RUNNING) > 0;
    boolean waits = value(demotion, DemotionCounter.DEMOTION_PAUSED) > 0;
    Words.wrap(
        out,
        String.format(
            "Demoted: %s, %s%s%s",
            Words.plural(value(demotion, DemotionCounter.FILES_DEMOTED), "map output"),
            size(demotion, DemotionCounter.BYTES_DEMOTED),
            moving || waits ? "; one is being moved" : "",
            waits ? " and waits for reads of the slower disk" : ""));
    if (demotion.hasNonNull("off")) {
      indented("Nothing is demoted: " + demotion.path("off").asText());
    }
    NodeStatus.told(demotion, DemotionCounter.DEMOTION_NO_ROOM).ifPresent(this::indented);
  }

  private void printDetails(NodeStatus status) {
    if (!status.details().isEmpty()) {
      out.println();
      out.println(terminal.styled("yellow", "To look into:"));
      status.details().forEach(this::indented);
    }
  }

  private void printFindings(NodeStatus status) {
    for (String severity : Immutable.listOf("ERROR", "WARNING")) {
      for (JsonNode finding : status.findings(severity)) {
        out.println();
        Words.wrap(
            out,
            String.format(
                "%s %s = %s (%s)",
                terminal.styled(severity.equals("ERROR") ? "bold,red" : "yellow", severity),
                finding.path("key").asText(),
                // A list of dirs has no blank to break a line at.
                finding.path("value").asText().replaceAll(",(?=\\S)", ", "),
                finding.path("origin").asText()),
            "",
            "  ");
        indented(finding.path("consequence").asText());
        indented("--> " + finding.path("remedy").asText());
      }
    }
  }
}
