// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static io.temptier.cli.status.NodeStatus.value;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Plural;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wrap;
import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.shuffle.ShuffleCounter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The status for people. */
final class StatusText {
  private final PrintWriter out;
  private final int width;
  private final Terminal terminal;

  /** Prints tables whose lines are of at most {@code width} columns where that can be. */
  StatusText(PrintWriter out, int width, Terminal terminal) {
    this.out = out;
    this.width = width;
    this.terminal = terminal;
  }

  void print(NodeStatus status) {
    String mode = terminal.styled(status.active() ? "bold,green" : "bold,red", status.text("mode"));
    out.println("NodeManager " + status.text("url") + ": " + mode + about(status));
    if (!status.text("version").equals(NodeStatus.UNKNOWN)) {
      out.println(
          "TempTier " + status.text("version") + ", configuration " + status.text("fingerprint"));
    }
    if (status.active()) {
      printState(status);
      printTiers(status);
      printDrives(status);
      printSpilled(status);
      printShuffle(status.shuffle().orElse(null));
      printDetails(status);
    } else if (status.findings("ERROR").isEmpty()) {
      indented(status.text("modeReason"));
    }
    printFindings(status);
  }

  /** The answer, before the figures. */
  private void printState(NodeStatus status) {
    wrap(
        status.what().isEmpty()
            ? terminal.styled("green", "State: fine")
            : "State: " + status.trouble().label() + ", " + status.what());
  }

  private void wrap(String text) {
    Wrap.print(out, text, "", "");
  }

  private void indented(String text) {
    Wrap.print(out, text, "  ", "  ");
  }

  private static String about(NodeStatus status) {
    String policy = status.tree("settings").path("policy").asText("");
    return status.active() ? ", " + status.order() + ", policy " + policy : "";
  }

  private void printTiers(NodeStatus status) {
    out.println();
    new Table<JsonNode>()
        .add("TIER", StatusText::medium)
        .add(">DIRS", StatusText::dirs)
        .bytes("SIZE", tier -> value(tier, TierCounter.CAPACITY_BYTES))
        .bytes("FREE", tier -> value(tier, TierCounter.FREE_BYTES))
        .wideBytes("CLAIMED", tier -> value(tier, TierCounter.CLAIMED_BYTES))
        .wideBytes("RESERVE", tier -> value(tier, TierCounter.RESERVE_BYTES))
        .bytes("ROOM", tier -> value(tier, TierCounter.HEADROOM_BYTES))
        .wide(">FILES", tier -> value(tier, TierCounter.FILES_PLACED) + "")
        .bytes("PLACED", tier -> value(tier, TierCounter.BYTES_PLACED))
        .bytes("SPILLED", tier -> value(tier, TierCounter.BYTES_SPILLED_HERE))
        .wide(">ERRORS", tier -> value(tier, TierCounter.DIR_ERRORS) + "")
        .lines("", NodeStatus.list(status.tree("tiers")), width)
        .forEach(out::println);
  }

  private void printDrives(NodeStatus status) {
    if (status.tree("drives").isEmpty()) {
      return;
    }
    out.println();
    new Table<JsonNode>()
        .add("DRIVE", StatusText::drive)
        .add("TIER", StatusText::medium)
        .add(">WAIT MS", known(DeviceCounter.AWAIT_MICROS, StatusText::millis))
        .bytes("A DAY", drive -> known(drive, DeviceCounter.WRITTEN_BYTES_PER_DAY))
        .add(">USED %", known(DeviceCounter.USED_PERCENT, Long::toString))
        .wide(">SPARE %", known(DeviceCounter.SPARE_PERCENT, Long::toString))
        .add(">MEDIA ERRORS", known(DeviceCounter.MEDIA_ERRORS, Long::toString))
        .add(">IO ERRORS", known(DeviceCounter.IO_ERRORS, Long::toString))
        .lines("", NodeStatus.list(status.tree("drives")), width)
        .forEach(out::println);
  }

  private static String medium(JsonNode of) {
    return of.path("medium").asText();
  }

  private static String drive(JsonNode drive) {
    return drive.path("device").asText() + (value(drive, DeviceCounter.HUNG) > 0 ? " (hung)" : "");
  }

  /** The cell of a number that not every drive tells. */
  private static Function<JsonNode, String> known(
      DeviceCounter counter, LongFunction<String> text) {
    return drive -> drive.has(counter.attribute()) ? text.apply(value(drive, counter)) : "-";
  }

  private static long known(JsonNode drive, DeviceCounter counter) {
    return drive.has(counter.attribute()) ? value(drive, counter) : -1;
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f", micros / 1000.0);
  }

  private static String dirs(JsonNode tier) {
    long failed = value(tier, TierCounter.DIRS_FAILED);
    long hung = value(tier, TierCounter.DIRS_HUNG);
    long slow = value(tier, TierCounter.DIRS_SLOW);
    long draining = value(tier, TierCounter.DIRS_DRAINING);
    return value(tier, TierCounter.DIRS)
        + (failed > 0 ? " (" + failed + " failed)" : "")
        + (hung > 0 ? " (" + hung + " hung)" : "")
        + (slow > 0 ? " (" + slow + " slow)" : "")
        + (draining > 0 ? " (" + draining + " drained)" : "");
  }

  private static String size(JsonNode of, Metric metric) {
    return Sizes.format(value(of, metric));
  }

  private void printSpilled(NodeStatus status) {
    out.println();
    out.println(
        String.format(
            "Spilled down: %s, %s",
            Plural.of(value(status.tree("node"), TierCounter.FILES_SPILLED_DOWN), "file"),
            size(status.tree("node"), TierCounter.BYTES_SPILLED_DOWN)));
    for (JsonNode tier : status.tree("tiers")) {
      String medium = medium(tier);
      for (Reason reason : Reason.values()) {
        long files = TierCounter.refusedFor(reason).map(counter -> value(tier, counter)).orElse(0L);
        if (files > 0) {
          out.println("  " + files + " refused by " + medium + ": " + reason.text());
        }
      }
      long over = value(tier, TierCounter.FILES_OVER_RESERVE);
      if (over > 0) {
        out.println("  " + over + " on " + medium + ": " + Reason.OVER_RESERVE.text());
      }
    }
    if (value(status.tree("node"), TierCounter.BLOCKS_DEMOTED) > 0) {
      out.println(
          String.format(
              "Demoted: %s of Spark, %s",
              Plural.of(value(status.tree("node"), TierCounter.BLOCKS_DEMOTED), "block"),
              size(status.tree("node"), TierCounter.BLOCK_BYTES_DEMOTED)));
    }
  }

  /** Null when stock Hadoop's handler serves. */
  private void printShuffle(@Nullable JsonNode shuffle) {
    out.println();
    if (shuffle == null) {
      wrap(
          "Shuffle: stock Hadoop serves map outputs, and nothing is demoted. To change that, set"
              + " yarn.nodemanager.aux-services.mapreduce_shuffle.class to"
              + " io.temptier.shuffle.TieredShuffleHandler; where it is set already, the"
              + " NodeManager's log says why it is not used.");
      return;
    }
    new Table<JsonNode>()
        .add("SHUFFLE", StatusText::medium)
        .add(">SEGMENTS", medium -> value(medium, ShuffleCounter.SEGMENTS) + "")
        .bytes("SENT", medium -> value(medium, ShuffleCounter.BYTES))
        .add(">READ MS P50", medium -> millis(medium, ShuffleCounter.LATENCY_P50))
        .add(">P99", medium -> millis(medium, ShuffleCounter.LATENCY_P99))
        .add(">P99.9", medium -> millis(medium, ShuffleCounter.LATENCY_P999))
        .add(">STALLS", medium -> value(medium, ShuffleCounter.STALLS) + "")
        .add(">WAITING", medium -> value(medium, ShuffleCounter.QUEUE_DEPTH) + "")
        .lines("", NodeStatus.list(shuffle.path("media")), width)
        .forEach(out::println);
    out.println();
    printDemotion(shuffle.path("demotion"));
  }

  /** No read takes 0 microseconds: none was seen. */
  private static String millis(JsonNode medium, Metric metric) {
    long micros = value(medium, metric);
    return micros == 0 ? "-" : millis(micros);
  }

  private void printDemotion(JsonNode demotion) {
    wrap(
        String.format(
            "Demoted: %s, %s%s",
            Plural.of(value(demotion, DemotionCounter.FILES_DEMOTED), "map output"),
            size(demotion, DemotionCounter.BYTES_DEMOTED),
            now(demotion)));
    String off = demotion.path("off").asText("");
    if (!demotion.path("off").isNull() && !off.isEmpty()) {
      indented("Nothing is demoted: " + off);
    }
    NodeStatus.told(demotion, DemotionCounter.DEMOTION_NO_ROOM).ifPresent(this::indented);
  }

  private static String now(JsonNode demotion) {
    if (value(demotion, DemotionCounter.DEMOTION_PAUSED) > 0) {
      return "; one is being moved and waits for reads of the slower disk";
    }
    return value(demotion, DemotionCounter.DEMOTION_RUNNING) > 0 ? "; one is being moved" : "";
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
        out.println(
            String.format(
                "%s %s = %s (%s)",
                terminal.styled(severity.equals("ERROR") ? "bold,red" : "yellow", severity),
                finding.path("key").asText(),
                finding.path("value").asText(),
                finding.path("origin").asText()));
        indented(finding.path("consequence").asText());
        indented("--> " + finding.path("remedy").asText());
      }
    }
  }
}
