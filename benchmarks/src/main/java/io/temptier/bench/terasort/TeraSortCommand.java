/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.terasort;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.SlowDiskOptions;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench terasort} command. */
@Command(
    name = "terasort",
    description = {
      "Sorts the same data on an emulated worker node, its temporary data on HDDs, on a fast disk"
          + " or on both, with TempTier and without, in turn.",
      "HDDs are ext4 on loop devices, throttled by the kernel, with HDFS on them; needs root. The"
          + " first experiment takes about 35 minutes on two idle cores."
    },
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:the node or the cluster could not be run",
      "2:wrong use"
    })
public final class TeraSortCommand implements Callable<Integer> {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
  private static final long ROWS = 7_680_000;
  private static final long QUICK_ROWS = 3_840_000;
  private static final int ROUNDS = 3;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      defaultValue = "e1",
      description = {
        "e1: the temporary data fits the fast disk; e2: the fast disk is a half and a quarter of"
            + " it;",
        "e3: with 4, 2 and 1 HDDs (default: ${DEFAULT-VALUE})."
      })
  private String experiment = "";

  @Option(
      names = "--arms",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Run these only, of stock-hdd, stock-mixed, stock-nvme-only, mergerfs, temptier and ideal",
        "(default: all in e2, all but mergerfs in e1, stock-hdd and temptier in e3)."
      })
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each arm is run (default: 3; with --quick 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 100 bytes to sort (default: 7680000; with --quick 3840000).")
  private @Nullable Long rows;

  @Option(names = "--quick", description = "One round of half the data.")
  private boolean quick;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "128m",
      description = "HDFS's block, which is a map's input (default: ${DEFAULT-VALUE}).")
  private String block = "";

  @Option(
      names = "--slow-readahead",
      paramLabel = "SIZE",
      defaultValue = "128k",
      description =
          "The kernel's readahead on each HDD, which with its requests per second bounds sequential"
              + " reads (default: ${DEFAULT-VALUE}).")
  private String readAhead = "";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description =
          "What the node's processes may use of memory, page cache included (default:"
              + " ${DEFAULT-VALUE}).")
  private String memory = "";

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "1200",
      description = "A job that takes longer is killed and counts as failed (default: 1200).")
  private long deadline;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where to write report.html, report.json and CSV (default: a new folder in"
              + " target/bench).")
  private @Nullable Path report;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "Continue the run in this folder, by the options it was begun with.")
  private @Nullable Path resume;

  /** Called by picocli. */
  public TeraSortCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    try {
      TeraSortPlan plan = plan();
      EmulatedDisk.hindrance()
          .ifPresent(
              why -> {
                throw new CommandFailure(why);
              });
      return run(plan, json.textOf(terminal));
    } catch (IOException e) {
      throw new CommandFailure("bench terasort could not be run: " + e.getMessage(), e);
    }
  }

  private int run(TeraSortPlan plan, PrintWriter out) throws IOException, InterruptedException {
    HadoopRuntime runtime = HadoopRuntime.locate();
    ResultFolder results = results(plan, runtime);
    TeraSortText.plan(out, results.plan());
    List<String> skipped = skipped(results.plan());
    out.println(
        "Results: " + results.path() + " (if interrupted: --resume " + results.path() + ")");
    skipped.forEach(line -> out.println("Skipped: " + line));
    out.flush();
    try (Progress progress = terminal.progress("bench terasort")) {
      new TeraSortRun(results, runtime, trial -> TeraSortText.trial(out, trial), progress::say)
          .run();
    }
    Map<String, String> facts = results.facts();
    facts.put("load after", Facts.load());
    TeraSortResult result = new TeraSortResult(results.plan(), results.trials(), skipped, facts);
    Path html = publish(result, results.path());
    TeraSortText.result(out, result);
    out.println("Report: " + html + " (report.json, trials.csv and moments.csv beside it)");
    out.flush();
    return ExitCodes.FINE;
  }

  private Path publish(TeraSortResult result, Path folder) throws IOException {
    ObjectNode tree = TeraSortJson.of(result);
    Path html = folder.resolve("report.html");
    Files.writeString(html, TeraSortReport.of(result));
    Files.writeString(folder.resolve("report.json"), tree.toPrettyString() + "\n");
    Files.writeString(folder.resolve("trials.csv"), TeraSortCsv.trials(result.trials()));
    Files.writeString(folder.resolve("moments.csv"), TeraSortCsv.moments(result.trials()));
    json.write(tree, terminal);
    return html;
  }

  private ResultFolder results(TeraSortPlan plan, HadoopRuntime runtime) throws IOException {
    if (resume != null) {
      return ResultFolder.open(resume.toAbsolutePath().normalize());
    }
    Map<String, String> facts = Facts.gather(runtime, HadoopRuntime.workFolder(), terminal.typed());
    facts.put("load before", Facts.load());
    return ResultFolder.create(folder(plan), plan, facts);
  }

  private Path folder(TeraSortPlan plan) throws IOException {
    if (report != null) {
      return report.toAbsolutePath().normalize();
    }
    String name =
        "terasort-"
            + plan.experiment().label()
            + "-"
            + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP);
    return HadoopRuntime.sourceRoot()
        .orElseGet(() -> Path.of("").toAbsolutePath())
        .resolve("target/bench")
        .resolve(name);
  }

  private TeraSortPlan plan() {
    Experiment chosen =
        Experiment.of(experiment)
            .orElseThrow(
                () -> terminal.wrongUse("--experiment=" + experiment + " is none of e1, e2, e3"));
    long planRows = rows != null ? rows : quick ? QUICK_ROWS : ROWS;
    int planRounds = rounds != null ? rounds : quick ? 1 : ROUNDS;
    terminal.atLeastOne("--rows", planRows);
    terminal.atLeastOne("--rounds", planRounds);
    terminal.atLeastOne("--deadline", deadline);
    List<Arm> possible = arms(chosen).stream().filter(arm -> arm.hindrance().isEmpty()).toList();
    if (possible.isEmpty()) {
      throw new CommandFailure("no arm is left: " + arms(chosen).get(0).hindrance().orElse(""));
    }
    return new TeraSortPlan(
        chosen,
        planRows,
        planRounds,
        possible,
        slowDisk.speed(terminal),
        size("--slow-readahead", readAhead),
        size("--memory", memory),
        size("--block", block),
        deadline);
  }

  private List<Arm> arms(Experiment chosen) {
    if (arms.isEmpty()) {
      return chosen.arms();
    }
    String all = Arrays.stream(Arm.values()).map(Arm::label).collect(Collectors.joining(", "));
    return arms.stream()
        .map(
            name ->
                Arm.of(name)
                    .orElseThrow(() -> terminal.wrongUse("--arms=" + name + " is none of " + all)))
        .distinct()
        .toList();
  }

  /** A line for each arm that was asked for and cannot be run here. */
  private List<String> skipped(TeraSortPlan plan) {
    List<String> lines = new ArrayList<>();
    for (Arm arm : arms(plan.experiment())) {
      if (!plan.arms().contains(arm)) {
        arm.hindrance().ifPresent(why -> lines.add(arm.label() + ": " + why));
      }
    }
    return lines;
  }

  private long size(String option, String text) {
    try {
      long bytes = Sizes.parse(text);
      terminal.atLeastOne(option, bytes);
      return bytes;
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(option + ": " + e.getMessage());
    }
  }
}
