// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.TimeRange;
import io.temptier.hadoop.conf.DemotionConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.Reserve;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.settings.TierSettings;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code plan} command. */
@Command(
    name = "plan",
    description = {
      "Says how large a node's fast disk should be, and how soon it wears out.",
      "Writes the temporary files of past jobs once more, where and when they were written, with"
          + " production's placement policy and watermarks, for several sizes at a time. What a"
          + " faster disk saves is not counted."
    },
    exitCodeList = {"0:told", "1:no job can be read", "2:wrong use"},
    sortOptions = false)
public final class PlanCommand implements Callable<Integer> {
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
      names = "--dwpd",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often a day drives may be written over by their rating (default: ${DEFAULT-VALUE})."
              + " A size that wears out sooner is not recommended.")
  private double dwpd;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "A property of TempTier: temptier.reserve, temptier.fill-limits and temptier.demotion.*"
              + " count.")
  private List<String> properties = new ArrayList<>();

  @Override
  public Integer call() {
    if (!(dwpd > 0)) {
      throw terminal.wrongUse("--dwpd=" + dwpd + " is not above 0");
    }
    TimeRange time = TimeRange.of(terminal, since, until);
    List<Long> sizes = new ArrayList<>();
    fast.forEach(size -> sizes.add(terminal.size("--fast", size)));
    Replay replay = new Replay(rules(), sizes);
    List<String> notes = new ArrayList<>();
    PlanResult result = run(replay, time, notes);
    json.write(tree(result, notes), terminal);
    String name =
        trace
            + (since == null ? "" : ", since " + since)
            + (until == null ? "" : ", until " + until);
    new PlanText(json.textOf(terminal), result, dwpd).print(name, notes);
    return ExitCodes.FINE;
  }

  private PlanResult run(Replay replay, TimeRange time, List<String> notes) {
    List<String> told = Immutable.listOf();
    try (Progress progress = terminal.progress("plan")) {
      Histories histories = Histories.open(trace, time);
      told = histories.notes();
      PlanResult result = replay.run(histories, ended -> progress.say(ended + " jobs ended"));
      notes.addAll(told);
      return result;
    } catch (IOException e) {
      List<String> why = new ArrayList<>(PlanText.notes(told));
      why.add(0, "the plan cannot be made: " + e.getMessage());
      throw new CommandFailure(String.join("\n", why), e);
    }
  }

  private FastDisk.Rules rules() {
    Configuration conf = new Configuration(false);
    for (String property : properties) {
      int equals = property.indexOf('=');
      if (equals < 1 || !property.startsWith("temptier.")) {
        throw terminal.wrongUse("-D " + property + " is not temptier.something=value");
      }
      conf.set(property.substring(0, equals), property.substring(equals + 1));
    }
    DemotionConfig.Resolution demotion = DemotionConfig.resolve(conf);
    for (Finding finding : demotion.findings()) {
      if (finding.severity() == Finding.Severity.ERROR) {
        throw terminal.wrongUse(finding.toString());
      }
    }
    String reserve = conf.get(TierKey.RESERVE.key(), TierKey.RESERVE.defaultValue());
    String limits = conf.get(TierKey.FILL_LIMITS.key(), "");
    return FastDisk.Rules.of(
        terminal.parse("-D " + TierKey.RESERVE.key(), reserve, Reserve::parse),
        TierSettings.DEFAULT.toBuilder()
            .limits(terminal.parse("-D " + TierKey.FILL_LIMITS.key(), limits, FillLimits::parse))
            .build(),
        demotion.settings());
  }

  /** The result for programs. */
  private ObjectNode tree(PlanResult result, List<String> notes) {
    Long recommended = result.recommended(dwpd).map(FastSize::fastBytes).orElse(null);
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("command", terminal.typed())
        .put("nodes", result.nodes())
        .put("jobs", result.jobs())
        .put("tasks", result.tasks())
        .put("fromMillis", result.fromMillis())
        .put("days", result.days())
        .put("recommendedBytes", recommended)
        .put("mostTempBytesOfANode", result.mostBytes())
        .putPOJO("notes", notes);
    ArrayNode sizes = root.putArray("sizes");
    for (FastSize size : result.sizes()) {
      sizes
          .addObject()
          .put("fastBytes", size.fastBytes())
          .put("hitShare", size.hitShare())
          .put("placedBytes", size.placedBytes())
          .put("spilledBytes", size.spilledBytes())
          .put("demotedBytes", size.demotedBytes())
          .put("bytesPerDay", result.bytesPerDay(size))
          .put("driveWritesPerDay", result.driveWritesPerDay(size))
          .put("lasts", result.driveWritesPerDay(size) <= dwpd);
    }
    return root;
  }
}
