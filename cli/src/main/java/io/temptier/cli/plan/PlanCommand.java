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
import io.temptier.cli.Wide;
import io.temptier.cli.plan.SimulationResult.SizeResult;
import io.temptier.cli.report.MachineFacts;
import io.temptier.cli.report.ReportFile;
import io.temptier.hadoop.conf.DemotionConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.FillLimits;
import io.temptier.tier.Finding;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierSettings;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
      "Runs a trace on a modelled cluster and says which size of the fast disk is enough.",
      "It uses production's placement policy and watermarks, for several sizes at a time.",
      "Tasks take as long as in the trace; files are as large. What a faster disk saves is not"
          + " counted. Without a trace, a synthetic one is made up."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int NODES = 10_000;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ReportFile report = new ReportFile();
  @Mixin private final Wide wide = new Wide();
  @Mixin private final TraceOptions trace = new TraceOptions();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Nodes of the cluster. Default: as many as the trace names, which then is held in memory;"
              + " for a sort as many as run all its maps at a time; else 10000.")
  private @Nullable Integer nodes;

  @Option(
      names = "--containers",
      paramLabel = "N",
      defaultValue = "20",
      description = "Tasks that a node runs at a time (default: ${DEFAULT-VALUE}).")
  private int containers;

  @Option(
      names = "--fast",
      paramLabel = "SIZE",
      arity = "1..*",
      split = ",",
      defaultValue = "1g,2g,4g,8g,16g,32g,64g",
      description = "Sizes of a node's fast disk to compare (default: ${DEFAULT-VALUE}).")
  private List<String> fast = new ArrayList<>();

  @Option(
      names = "--present",
      paramLabel = "SIZE",
      description = "The fast disk that a node has today: says what a larger one would gain.")
  private @Nullable String present;

  @Option(
      names = "--dwpd",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often a day drives may be written over by their rating (default: ${DEFAULT-VALUE})."
              + " A size that wears out sooner is not recommended. Not judged for one sort.")
  private double dwpd;

  @Option(
      names = "--sort-memory",
      paramLabel = "SIZE",
      defaultValue = "80m",
      description =
          "What a map sorts in memory before it spills: mapreduce.task.io.sort.mb times"
              + " mapreduce.map.sort.spill.percent (default: ${DEFAULT-VALUE}).")
  private String sortMemory = "";

  @Option(
      names = "--reduce-memory",
      paramLabel = "SIZE",
      defaultValue = "700m",
      description =
          "What a reduce holds in memory before it writes to disk: its heap times"
              + " mapreduce.reduce.shuffle.input.buffer.percent (default: ${DEFAULT-VALUE}).")
  private String reduceMemory = "";

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "FAST_FIRST",
      description =
          "The placement policy, ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). ROUND_ROBIN"
              + " places as stock Hadoop does.")
  private PlacementPolicy.Named policy = PlacementPolicy.Named.FAST_FIRST;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "A property of TempTier: temptier.reserve, temptier.fill-limits and temptier.demotion.*"
              + " count.")
  private List<String> properties = new ArrayList<>();

  /** What of the trace does not count. */
  private final List<String> notes = new ArrayList<>();

  @Override
  public Integer call() {
    if (nodes != null) {
      terminal.atLeastOne("--nodes", nodes);
    }
    terminal.atLeastOne("--containers", containers);
    if (!(dwpd > 0)) {
      throw terminal.wrongUse("--dwpd=" + dwpd + " is not above 0");
    }
    trace.check(terminal);
    List<TraceJob> jobs = nodes == null && trace.given() ? jobsOfTrace() : Immutable.listOf();
    ClusterModel model = model(jobs);
    SimulationResult result =
        simulate(model, jobs).ratedFor(trace.oneSort() ? Double.POSITIVE_INFINITY : dwpd);
    PrintWriter out = json.textOf(terminal);
    json.write(tree(model, result), terminal);
    report.write(
        () -> PlanReport.of(model, result, trace.name(), MachineFacts.of(terminal.typed())),
        terminal);
    PlanText.print(out, model, result, trace.name(), wide.width());
    PlanText.notes(notes).forEach(out::println);
    out.flush();
    return ExitCodes.FINE;
  }

  private SimulationResult simulate(ClusterModel model, List<TraceJob> jobs) {
    try (Progress progress = terminal.progress("plan");
        Trace all =
            jobs.isEmpty() ? trace.open((long) model.nodes() * containers) : Trace.of(jobs)) {
      try {
        return new Simulation(model, trace.seed(), ended -> progress.say(ended + " jobs ended"))
            .run(all);
      } finally {
        notes.addAll(all.notes());
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** All of them, as only all of them name all nodes. */
  private List<TraceJob> jobsOfTrace() {
    List<TraceJob> jobs = new ArrayList<>();
    try (Progress progress = terminal.progress("plan");
        Trace all = trace.open(0)) {
      for (TraceJob job = all.next(); job != null; job = all.next()) {
        jobs.add(job);
        progress.say(jobs.size() + " jobs read");
      }
      notes.addAll(all.notes());
    } catch (IOException e) {
      throw failed(e);
    }
    return jobs;
  }

  private CommandFailure failed(IOException e) {
    String why = String.join("\n", PlanText.notes(notes));
    return new CommandFailure(
        "the plan cannot be made: " + e.getMessage() + (why.isEmpty() ? "" : "\n" + why), e);
  }

  private int nodes(List<TraceJob> jobs) {
    if (nodes != null) {
      return nodes;
    }
    Set<String> hosts = new HashSet<>();
    jobs.forEach(job -> hosts.addAll(job.hosts()));
    if (trace.given() && jobs.isEmpty()) {
      throw failed(new IOException("there is no job in the trace"));
    }
    if (trace.given() && hosts.isEmpty()) {
      throw terminal.wrongUse("--trace " + trace.name() + " names no host: say --nodes");
    }
    return trace.given()
        ? hosts.size()
        : (int) Math.min(NODES, (trace.sortMaps() + containers - 1) / containers);
  }

  private ClusterModel model(List<TraceJob> jobs) {
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
    List<Long> sizes = new ArrayList<>();
    for (String size : fast) {
      sizes.add(terminal.size("--fast", size));
    }
    Long today = present == null ? null : Long.valueOf(terminal.size("--present", present));
    if (today != null) {
      sizes.add(today);
    }
    try {
      return ClusterModel.of(
          nodes(jobs),
          containers,
          terminal.size("--sort-memory", sortMemory),
          terminal.size("--reduce-memory", reduceMemory),
          sizes,
          today,
          terminal.parse("-D " + TierKey.RESERVE.key(), reserve, Reserve::parse),
          settings(conf),
          demotion.settings());
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse("--fast: " + e.getMessage());
    }
  }

  private TierSettings settings(Configuration conf) {
    String limits = conf.get(TierKey.FILL_LIMITS.key(), "");
    return TierSettings.DEFAULT.toBuilder()
        .policy(policy)
        .limits(terminal.parse("-D " + TierKey.FILL_LIMITS.key(), limits, FillLimits::parse))
        .build();
  }

  /** The result for programs. */
  private ObjectNode tree(ClusterModel model, SimulationResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("command", terminal.typed())
        .put("nodes", model.nodes())
        .put("containers", model.containers())
        .put("policy", model.settings().policy().name())
        .put("jobs", result.jobs())
        .put("tasks", result.tasks())
        .put("fromMillis", result.fromMillis())
        .put("days", result.days())
        .put("presentBytes", model.presentSize())
        .put("tooLittleData", result.saysTooLittle());
    root.putPOJO("notes", notes);
    root.putPOJO("nodeTempBytes", result.nodeBytes());
    ArrayNode sizes = root.putArray("sizes");
    for (SizeResult size : result.sizes()) {
      sizes
          .addObject()
          .put("fastBytes", size.fastBytes())
          .put("recommended", result.recommends(size))
          .put("hitShare", size.hitShare())
          .put("placedBytes", size.placedBytes())
          .put("spilledBytes", size.spilledBytes())
          .put("demotedBytes", size.demotedBytes())
          .put("jobsWhollyFastShare", size.whollyFastShare())
          .put("bytesPerDay", size.bytesPerDay())
          .put("driveWritesPerDay", size.driveWritesPerDay())
          .put("lasts", trace.oneSort() ? null : Boolean.valueOf(result.lasts(size)));
    }
    root.put("recommendedBytes", result.recommended().map(SizeResult::fastBytes).orElse(null));
    return root;
  }
}
