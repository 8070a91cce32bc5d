// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench run}: measures experiments, those of the benchmarks or files of the user's. */
@Command(
    name = "run",
    description = {
      "Measures experiments, one after the other: those that `bench list` names, or files of your"
          + " own, such as a copy of benchmarks/experiments/e1.json with another arm or setting.",
      "Of several, one that cannot be run is told, and the next is run."
    },
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:what they are made on could not be run, or a trial does not count and all must",
      "2:wrong use"
    })
public final class RunCommand implements Callable<Integer> {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "NAME|FILE",
      arity = "1..*",
      description = "Experiments by their names, or JSON files.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each arm is run; medians are shown (default: what the experiment's file says;"
              + " with --quick 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--quick",
      description =
          "One round, less data, and the settings and arms that the file has for that: shows that"
              + " it works, not how fast.")
  private boolean quick;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "A property of the experiment's workload, or one of its bounds, in place of what its file"
              + " says, such as block=64m or slowIops=80. May be given many times.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(
      names = "--arms",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Run these only, of those in the experiment's file or, where TempTier is compared with"
            + " stock Hadoop,",
        "of stock-hdd, stock-mixed, stock-nvme-only, mergerfs, temptier and ideal (default: those"
            + " that answer its question)."
      })
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--settings",
      paramLabel = "NAME",
      split = ",",
      description = "Measure in these only, such as 1/2 of e2 or 1 HDD of e3 (default: all).")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--dirs",
      paramLabel = "[TAG]DIR",
      split = ",",
      description = {
        "Measure on these disks as they are, without root, instead of on emulated ones: dirs"
            + " with tags as in temptier.local-dirs, such as [NVME]/nvme0/bench,[DISK]/hdd0/bench.",
        "HDFS lies on the [DISK] ones. A folder is made in each, and removed."
      })
  private List<String> dirs = new ArrayList<>();

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "Measure on the cluster of this client configuration as it is, such as $$HADOOP_CONF_DIR:"
              + " jobs with TempTier and without, in turn; its nodes need TempTier installed. Of"
              + " s3a: the store of its core-site.xml.")
  private @Nullable Path confDir;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = {
        "A property of TempTier's, such as -Dtemptier.demotion.high=60%%, for its NodeManager and"
            + " its jobs in the arms",
        "that have it; not with --conf-dir. Of s3a: one of the arm own. May be given many times."
      })
  private Map<String, String> properties = new HashMap<>();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where to write report.html, report.json and trials; of several experiments a folder for"
              + " each (default: a new folder in target/bench).")
  private @Nullable Path report;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description =
          "Resume the run that was cut off in this folder: its command again, with this in place of"
              + " --report. Trials that were made are not made again.")
  private @Nullable Path resume;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Plan> plans = names.stream().map(this::plan).toList();
    Path folder = folder(plans.size() == 1 ? plans.get(0).label() : "several");
    boolean one = plans.size() == 1;
    PrintWriter out = json.textOf(terminal);
    ArrayNode results = JsonNodeFactory.instance.arrayNode();
    boolean fine = true;
    for (Plan plan : plans) {
      try {
        Path own = one ? folder : folder.resolve(plan.label());
        ExperimentResult result = ExperimentRun.of(plan, own, resume != null, terminal, out);
        results.add(ExperimentJson.of(result));
        fine &= result.allCount() || !plan.experiment().allCount();
      } catch (IOException e) {
        String failure = plan.label() + " could not be run: " + e.getMessage();
        if (one) {
          throw new CommandFailure(failure, e);
        }
        terminal.err().println(failure);
        fine = false;
      }
    }
    json.write(one ? results.get(0) : results, terminal);
    return fine ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private Path folder(String name) throws IOException {
    if (resume != null && (report != null || !Files.isDirectory(resume))) {
      throw terminal.wrongUse(
          "--resume="
              + resume
              + (report == null ? " is no folder" : " and --report exclude each other"));
    }
    Path named = resume != null ? resume : report;
    String now = LocalDateTime.now(ZoneId.systemDefault()).format(STAMP);
    return named != null
        ? named.toAbsolutePath().normalize()
        : HadoopRuntime.resultFolder("bench").resolve(name + "-" + now);
  }

  private Plan plan(String name) {
    String label = name.replaceFirst(".*/", "").replace(".json", "");
    Experiment whole =
        terminal.parse(name, text(name), text -> Experiments.of(label, text, quick, changes));
    return plan(whole);
  }

  /** What to run of an experiment, by the options given. Ends the command where they do not fit. */
  public Plan plan(Experiment whole) {
    int times = rounds != null ? rounds : quick ? 1 : whole.rounds();
    terminal.atLeastOne("--rounds", times);
    List<Arm> named = Experiments.arms();
    List<Arm> known = named.containsAll(whole.arms()) ? named : whole.arms();
    Experiment chosen =
        whole.only(
            chosen("--settings", settings, whole.settings(), Setting::name),
            arms.isEmpty() ? whole.arms() : chosen("--arms", arms, known, Arm::label));
    Plan plan = new Plan(chosen.times(times), List.of(), site(), properties);
    try {
      return whole.workload().fitted(plan);
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What an option names of all things by their labels, in their order; all when it is not given.
   */
  private <T> List<T> chosen(
      String option, List<String> named, List<T> all, Function<T, String> label) {
    List<String> labels = all.stream().map(label).toList();
    for (String name : named) {
      if (!labels.contains(name)) {
        throw terminal.wrongUse(option + "=" + name + " is none of " + String.join(", ", labels));
      }
    }
    return all.stream().filter(one -> named.isEmpty() || named.contains(label.apply(one))).toList();
  }

  private Site site() {
    if (confDir != null && !dirs.isEmpty()) {
      throw terminal.wrongUse("--dirs and --conf-dir exclude each other");
    }
    if (confDir != null) {
      return Site.cluster(confDir);
    }
    return dirs.isEmpty() ? Site.EMULATED : Site.dirs(terminal, dirs);
  }

  private String text(String name) {
    if (Experiments.names().contains(name)) {
      return Experiments.text(name);
    }
    try {
      return Files.readString(Path.of(name));
    } catch (IOException e) {
      throw terminal.wrongUse(
          name + " is neither an experiment that `bench list` names nor a file that can be read");
    }
  }

  @Command(
      name = "list",
      description = "Names the experiments that come with the benchmarks, and what each asks.",
      exitCodeList = "0:always")
  public static final class Listing implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();

    @Override
    public Integer call() {
      for (String name : Experiments.names()) {
        String question = Experiments.named(name, false).question();
        terminal.out().printf(Locale.ROOT, "%-18s %s%n", name, question);
      }
      return ExitCodes.FINE;
    }
  }
}
