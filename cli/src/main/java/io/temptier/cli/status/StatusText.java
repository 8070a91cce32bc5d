// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static io.temptier.cli.status.NodeStatus.value;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wrap;
import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.Reason;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** The status for people. */
final class StatusText {
  private static final int WIDTH = 96;
  private static final int DECISIONS = 5;

  private final PrintWriter out;
  private final Terminal terminal;

  StatusText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void print(NodeStatus status) {
    String mode = terminal.styled(status.active() ? "bold,green" : "bold,red", status.mode());
    out.println("NodeManager " + status.url() + ": " + mode + about(status));
    if (!status.version().equals(NodeStatus.UNKNOWN)) {
      out.println("TempTier " + status.version() + ", configuration " + status.fingerprint());
    }
    if (status.active()) {
      printTiers(status);
      printDrives(status);
      printSpilled(status);
      new ShuffleText(out).print(status.shuffle());
      printTrouble(status);
      printDecisions(status);
    } else if (status.findings("ERROR").isEmpty()) {
      Wrap.lines(status.modeReason(), WIDTH).forEach(line -> out.println("  " + line));
    }
    printFindings(status);
  }

  private static String about(NodeStatus status) {
    String policy = status.settings().path("policy").asText("");
    return status.active() ? ", " + status.order() + ", policy " + policy : "";
  }

  private void printTiers(NodeStatus status) {
    out.println();
    Table table =
        new Table(
            "TIER",
            ">DIRS",
            ">SIZE",
            ">FREE",
            ">CLAIMED",
            ">RESERVE",
            ">ROOM",
            ">FILES",
            ">PLACED",
            ">SPILLED HERE",
            ">ERRORS");
    NodeStatus.stream(status.tiers())
        .forEach(
            tier ->
                table.row(
                    tier.path("medium").asText(),
                    dirs(tier),
                    size(tier, TierCounter.CAPACITY_BYTES),
                    size(tier, TierCounter.FREE_BYTES),
                    size(tier, TierCounter.CLAIMED_BYTES),
                    size(tier, TierCounter.RESERVE_BYTES),
                    size(tier, TierCounter.HEADROOM_BYTES),
                    value(tier, TierCounter.FILES_PLACED) + "",
                    size(tier, TierCounter.BYTES_PLACED),
                    size(tier, TierCounter.BYTES_SPILLED_HERE),
                    value(tier, TierCounter.DIR_ERRORS) + ""));
    table.lines("").forEach(out::println);
  }

  private void printDrives(NodeStatus status) {
    if (status.drives().isEmpty()) {
      return;
    }
    out.println();
    Table table =
        new Table(
            "DRIVE",
            "TIER",
            ">LATENCY",
            ">WRITTEN A DAY",
            ">USED UP",
            ">SPARE",
            ">MEDIA ERRORS",
            ">IO ERRORS");
    for (JsonNode drive : status.drives()) {
      table.row(
          drive.path("device").asText() + (value(drive, DeviceCounter.HUNG) > 0 ? " (hung)" : ""),
          drive.path("medium").asText(),
          known(drive, DeviceCounter.AWAIT_MICROS, StatusText::millis),
          known(drive, DeviceCounter.WRITTEN_BYTES_PER_DAY, Sizes::format),
          known(drive, DeviceCounter.USED_PERCENT, percent -> percent + " %"),
          known(drive, DeviceCounter.SPARE_PERCENT, percent -> percent + " %"),
          known(drive, DeviceCounter.MEDIA_ERRORS, Long::toString),
          known(drive, DeviceCounter.IO_ERRORS, Long::toString));
    }
    table.lines("").forEach(out::println);
  }

  private static String known(JsonNode drive, DeviceCounter counter, LongFunction<String> text) {
    return drive.has(counter.attribute()) ? text.apply(value(drive, counter)) : "-";
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f ms", micros / 1000.0);
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

  private static String size(JsonNode of, TierCounter counter) {
    return Sizes.format(value(of, counter));
  }

  private void printSpilled(NodeStatus status) {
    out.println();
    out.println(
        "Spilled down: "
            + value(status.node(), TierCounter.FILES_SPILLED_DOWN)
            + " files, "
            + size(status.node(), TierCounter.BYTES_SPILLED_DOWN));
    for (JsonNode tier : status.tiers()) {
      for (Reason reason : Reason.values()) {
        long files = TierCounter.refusedFor(reason).map(counter -> value(tier, counter)).orElse(0L);
        if (files > 0) {
          String medium = tier.path("medium").asText();
          out.println("  " + files + " refused by " + medium + ": " + reason.text());
        }
      }
      long over = value(tier, TierCounter.FILES_OVER_RESERVE);
      if (over > 0) {
        String medium = tier.path("medium").asText();
        out.println("  " + over + " on " + medium + ": " + Reason.OVER_RESERVE.text());
      }
    }
  }

  private static String claims(JsonNode dir, JsonNode deleted) {
    return ("uid %s (%s) claimed what it may not in %s: %s entries of %s were deleted, the last at"
            + " %s. Look at what that user runs on the node.")
        .formatted(
            deleted.path("uid").asText(),
            deleted.path("user").asText(),
            dir.path("path").asText(),
            deleted.path("entries").asText(),
            Sizes.format(deleted.path("bytes").asLong()),
            Instant.ofEpochMilli(deleted.path("lastMillis").asLong()));
  }

  /** Numbers that are 0 on a sound node. */
  private void printTrouble(NodeStatus status) {
    List<String> trouble = new ArrayList<>();
    for (TierCounter counter :
        List.of(
            TierCounter.STOCK_FALLBACKS,
            TierCounter.ROOTS_RESTORED,
            TierCounter.UPKEEP_ERRORS,
            TierCounter.JOURNAL_LINES_IGNORED,
            TierCounter.JOURNAL_LINES_DROPPED)) {
      long value = value(status.node(), counter);
      if (value > 0) {
        trouble.add(value + " " + counter.attribute() + ": " + counter.doc());
      }
    }
    for (JsonNode dir : status.dirs()) {
      if (!dir.path("readable").asBoolean(true)) {
        String why = dir.path("lost").asText("");
        String state =
            dir.path("hung").asBoolean(false) ? "does not answer" : "cannot be used at the moment";
        trouble.add(
            "%s %s%s"
                .formatted(dir.path("path").asText(), state, why.isEmpty() ? "." : ": " + why));
      }
      long unseen = dir.path("foldersNotListed").asLong(0);
      if (unseen > 0) {
        trouble.add(
            unseen
                + " folders under "
                + dir.path("path").asText()
                + " may not be listed by the NodeManager's user: "
                + TierCounter.FOLDERS_NOT_LISTED.attribute()
                + " in docs/metrics.md says what counts instead.");
      }
      if (dir.path("slow").asBoolean(false)) {
        trouble.add(
            dir.path("path").asText()
                + " answers slower than the next tier: new files go elsewhere while there is room,"
                + " until it recovers. The NodeManager's log has the figures.");
      }
      if (dir.path("draining").asBoolean(false)) {
        String path = dir.path("path").asText();
        trouble.add(
            "%s is being emptied: temptier drain %s says how far it is, temptier undrain ends it."
                .formatted(path, path));
      }
    }
    status
        .dirs()
        .forEach(dir -> dir.path("claimsDeleted").forEach(of -> trouble.add(claims(dir, of))));
    if (!trouble.isEmpty()) {
      out.println();
      out.println(terminal.styled("yellow", "To look into:"));
      trouble.forEach(text -> Wrap.lines(text, WIDTH).forEach(line -> out.println("  " + line)));
    }
  }

  private void printDecisions(NodeStatus status) {
    List<JsonNode> latest = NodeStatus.stream(status.decisions()).limit(DECISIONS).toList();
    if (latest.isEmpty()) {
      return;
    }
    out.println();
    out.println("Last decisions:");
    Table table = new Table("TIME", "KIND", ">SIZE", "APPLICATION", "WHY");
    for (JsonNode decision : latest) {
      Instant time = Instant.ofEpochMilli(decision.path("timeMillis").asLong());
      table.row(
          time.truncatedTo(ChronoUnit.SECONDS).toString(),
          decision.path("kind").asText().toLowerCase(Locale.ROOT).replace('_', ' '),
          Sizes.format(decision.path("bytes").asLong()),
          decision.path("application").asText("-"),
          decision.path("why").asText());
    }
    table.lines("  ").forEach(out::println);
  }

  private void printFindings(NodeStatus status) {
    for (String severity : List.of("ERROR", "WARNING")) {
      for (JsonNode finding : status.findings(severity)) {
        out.println();
        out.println(
            terminal.styled(severity.equals("ERROR") ? "bold,red" : "yellow", severity)
                + " "
                + finding.path("key").asText()
                + " = "
                + finding.path("value").asText()
                + " ("
                + finding.path("origin").asText()
                + ")");
        Wrap.lines(finding.path("consequence").asText(), WIDTH)
            .forEach(line -> out.println("  " + line));
        Wrap.lines("--> " + finding.path("remedy").asText(), WIDTH)
            .forEach(line -> out.println("  " + line));
      }
    }
  }
}
