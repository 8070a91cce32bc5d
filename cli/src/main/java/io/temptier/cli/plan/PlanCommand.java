// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.TimeRange;
import io.temptier.cli.Words;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.Reserve;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "plan",
    description = {
      "Says how large a node's fast disk should be, and how often a day it is written over.",
      "Writes the temporary files of past jobs once more, where and when they were written, with"
          + " production's placement policy and watermarks, for several sizes at a time. What a"
          + " faster disk saves is not counted."
    },
    exitCodeList = {"0:told", "1:no job can be read", "2:wrong use"})
public final class PlanCommand implements Callable<Integer> {
  private static final int MOST_NOTES = 10;

  private static final String COUNT = "temptier\\.(reserve|fill-limits|demotion\\..*)";

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--trace",
      paramLabel = "PATH",
      required = true,
      description =
          "A folder with the history server's .jhist files or Spark's event logs, here or as a URI"
              + " such as hdfs://nn/mr-history/done; or one such file.")
  private String trace = "";

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Jobs submitted then or later: how long ago, such as 30d, or 2026-03-31,"
              + " 2026-03-31T22:00.")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Jobs submitted before that, or on that day.")
  private @Nullable String until;

  @Option(
      names = "--fast",
      paramLabel = "SIZE",
      arity = "1..*",
      split = ",",
      defaultValue = "100g,200g,400g,800g,1600g,3200g,6400g",
      description = "Sizes of a node's fast disk to compare (default: ${DEFAULT-VALUE}).")
  private List<String> fast = new ArrayList<>();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "A property of TempTier: temptier.reserve, temptier.fill-limits and temptier.demotion.*"
              + " count.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Override
  public Integer call() {
    TimeRange time = TimeRange.of(terminal, since, until);
    List<String> notes = new ArrayList<>();
    Replay replay = replay();
    try (Progress progress = terminal.progress("plan")) {
      Histories.read(
          trace,
          time,
          notes,
          job -> {
            replay.add(job);
            progress.say(replay.jobs + " jobs read");
          });
      replay.finish();
    } catch (IOException | IllegalArgumentException e) {
      List<String> why = told(notes);
      why.add(0, "the plan cannot be made: " + e.getMessage());
      throw new CommandFailure(String.join("\n", why), e);
    }
    json.write(tree(replay, notes), terminal);
    print(json.textOf(terminal), replay, notes);
    return ExitCodes.FINE;
  }

  private Replay replay() {
    Configuration conf = new Configuration(false);
    properties.forEach(
        (key, value) -> {
          if (!TierKey.find(key).isPresent() || !key.matches(COUNT)) {
            throw terminal.wrongUse("-D " + key + " is no property that counts, see --help");
          }
          conf.set(key, value);
        });
    List<Finding> findings = new ArrayList<>();
    DemotionSettings demotion = TierConfig.demotion(conf, findings);
    for (Finding finding : findings) {
      if (finding.severity() == Finding.Severity.ERROR) {
        throw terminal.wrongUse(finding.toString());
      }
    }
    String reserve = conf.get(TierKey.RESERVE.key(), TierKey.RESERVE.defaultValue());
    String limits = conf.get(TierKey.FILL_LIMITS.key(), "");
    return new Replay(
        terminal.parse("-D " + TierKey.RESERVE.key(), reserve, Reserve::parse),
        terminal.parse("-D " + TierKey.FILL_LIMITS.key(), limits, FillLimits::parse),
        demotion,
        fast.stream().map(size -> terminal.size("--fast", size)).collect(Immutable.toList()));
  }

  private ObjectNode tree(Replay replay, List<String> notes) {
    Long recommended = replay.recommended().map(size -> size.fastBytes).orElse(null);
    ObjectNode root = Json.object();
    root.put("command", terminal.typed())
        .put("nodes", replay.nodes())
        .put("jobs", replay.jobs)
        .put("tasks", replay.tasks)
        .put("fromMillis", replay.fromMillis)
        .put("days", replay.days())
        .put("recommendedBytes", recommended)
        .put("mostTempBytesOfANode", replay.mostBytes)
        .putPOJO("notes", notes);
    ArrayNode sizes = root.putArray("sizes");
    for (FastSize size : replay.sizes) {
      sizes
          .addObject()
          .put("fastBytes", size.fastBytes)
          .put("hitShare", size.hitShare())
          .put("placedBytes", size.placedBytes)
          .put("spilledBytes", size.spilledBytes)
          .put("demotedBytes", size.demotedBytes)
          .put("bytesPerDay", size.bytesPerDay(replay.days()))
          .put("driveWritesPerDay", size.driveWritesPerDay(replay.days()));
    }
    return root;
  }

  private void print(PrintWriter out, Replay replay, List<String> notes) {
    Optional<FastSize> recommended = replay.recommended();
    double days = replay.days();
    String answer =
        recommended
            .map(
                size ->
                    "-> "
                        + Sizes.format(size.fastBytes)
                        + ": the smallest of these that spills no more than 1 % of the bytes.")
            .orElse("None of these sizes spills as little as 1 % of the bytes: try larger ones.");
    Words.wrap(out, answer, "", "   ");
    out.println();
    new Table<FastSize>()
        .add("", size -> recommended.filter(size::equals).map(same -> "->").orElse(""))
        .bytes("fast disk", size -> size.fastBytes)
        .add(">hit share", size -> number("%.1f %%", 100 * size.hitShare()))
        .bytes("spilled", size -> size.spilledBytes)
        .bytes("demoted", size -> size.demotedBytes)
        .bytes("a day", size -> replay.tooShortForDays() ? -1 : (long) size.bytesPerDay(days))
        .add(
            ">DWPD",
            size -> replay.tooShortForDays() ? "-" : number("%.2f", size.driveWritesPerDay(days)))
        .print(out, "  ", replay.sizes);
    out.println();
    String text =
        String.format(
            Locale.ROOT,
            "Hit share: of all temporary bytes written, those written to the fast disk. A day,"
                + " DWPD: what it takes in a day, in bytes and in whole drives.%n"
                + "%,d jobs of %,d tasks on %s, %.2f days from %s on. Trace: %s%s%s%n"
                + "Temporary data on a node at a time: at most %s.",
            replay.jobs,
            replay.tasks,
            Words.plural(replay.nodes(), "node"),
            days,
            Instant.ofEpochMilli(replay.fromMillis).truncatedTo(ChronoUnit.MINUTES),
            trace,
            since == null ? "" : ", since " + since,
            until == null ? "" : ", until " + until,
            Sizes.format(replay.mostBytes));
    Words.wrap(out, text);
    told(notes).forEach(out::println);
  }

  /** Lists what of the trace does not count, or not as it is; no line when there is nothing. */
  private static List<String> told(List<String> notes) {
    List<String> lines = new ArrayList<>();
    if (!notes.isEmpty()) {
      lines.add("Of the trace " + notes.size() + " did not count as it is:");
      notes.stream().limit(MOST_NOTES).map(note -> "  " + Quoted.oneLine(note)).forEach(lines::add);
    }
    if (notes.size() > MOST_NOTES) {
      lines.add("  and " + (notes.size() - MOST_NOTES) + " more, which --json names");
    }
    return lines;
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
