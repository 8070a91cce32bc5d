// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.shuffle.ShuffleCounter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The status of the shuffle handler for people. */
final class ShuffleText {
  private static final int WIDTH = 96;

  private final PrintWriter out;

  ShuffleText(PrintWriter out) {
    this.out = out;
  }

  /** Prints it; null when stock Hadoop's handler serves. */
  void print(@Nullable ShuffleStatus shuffle) {
    out.println();
    if (shuffle == null) {
      wrap(
          "Shuffle: stock Hadoop serves map outputs, and nothing is demoted. To change that, set"
              + " yarn.nodemanager.aux-services.mapreduce_shuffle.class to"
              + " io.temptier.shuffle.TieredShuffleHandler; where it is set already, the"
              + " NodeManager's log says why it is not used.");
      return;
    }
    Table table =
        new Table(
            "SHUFFLE", ">SEGMENTS", ">SENT", ">READ P50", ">P99", ">P99.9", ">STALLS", ">WAITING");
    for (JsonNode medium : shuffle.media()) {
      table.row(
          medium.path("medium").asText(),
          NodeStatus.value(medium, ShuffleCounter.SEGMENTS) + "",
          Sizes.format(NodeStatus.value(medium, ShuffleCounter.BYTES)),
          millis(medium, ShuffleCounter.LATENCY_P50),
          millis(medium, ShuffleCounter.LATENCY_P99),
          millis(medium, ShuffleCounter.LATENCY_P999),
          NodeStatus.value(medium, ShuffleCounter.STALLS) + "",
          NodeStatus.value(medium, ShuffleCounter.QUEUE_DEPTH) + "");
    }
    table.lines("").forEach(out::println);
    out.println();
    printDemotion(shuffle.demotion());
  }

  private static String millis(JsonNode medium, Metric metric) {
    long micros = NodeStatus.value(medium, metric);
    // No read takes 0 microseconds: none was seen.
    return micros == 0 ? "-" : String.format(Locale.ROOT, "%.1f ms", micros / 1000.0);
  }

  private void printDemotion(JsonNode demotion) {
    wrap(
        "Demoted: "
            + NodeStatus.value(demotion, DemotionCounter.FILES_DEMOTED)
            + " map outputs, "
            + Sizes.format(NodeStatus.value(demotion, DemotionCounter.BYTES_DEMOTED))
            + now(demotion));
    String off = demotion.path("off").asText("");
    if (!demotion.path("off").isNull() && !off.isEmpty()) {
      wrap("  Nothing is demoted: " + off);
    }
    for (DemotionCounter trouble :
        new DemotionCounter[] {
          DemotionCounter.DEMOTION_FAILURES, DemotionCounter.DEMOTION_NO_ROOM
        }) {
      long value = NodeStatus.value(demotion, trouble);
      if (value > 0) {
        wrap("  " + value + " " + trouble.attribute() + ": " + trouble.doc());
      }
    }
  }

  private static String now(JsonNode demotion) {
    if (NodeStatus.value(demotion, DemotionCounter.DEMOTION_PAUSED) > 0) {
      return "; one is being moved and waits for reads of the slower disk";
    }
    return NodeStatus.value(demotion, DemotionCounter.DEMOTION_RUNNING) > 0
        ? "; one is being moved"
        : "";
  }

  private void wrap(String text) {
    String indent = text.startsWith("  ") ? "  " : "";
    Wrap.lines(text.trim(), WIDTH).forEach(line -> out.println(indent + line));
  }
}
