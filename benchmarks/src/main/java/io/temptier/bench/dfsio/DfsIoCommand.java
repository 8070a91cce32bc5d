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
package io.temptier.bench.dfsio;

import io.temptier.bench.experiment.Chapter;
import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentOptions;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.Workload;
import io.temptier.bench.terasort.TeraSort;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench dfsio} command. */
@Command(
    name = "dfsio",
    description = {
      "Hadoop's TestDFSIO on an emulated worker node: files written to HDFS, and cold ones read.",
      "It has next to no temporary data, so that by itself the arms must not differ; with"
          + " --experiment e5 it runs beside a sort, whose temporary data lies on HDFS's disks or"
          + " does not. Needs root. MB/s are MiB/s of one file, as TestDFSIO prints them."
    },
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:the node or the cluster could not be run",
      "2:wrong use"
    })
public final class DfsIoCommand implements Callable<Integer> {
  private static final int FILES = 2;
  private static final int MEGABYTES = 96;
  private static final int QUICK_MEGABYTES = 32;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();

  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      defaultValue = "dfsio",
      description = {
        "dfsio: alone; e5: alone, and beside a TeraSort in a queue of its own",
        "(default: ${DEFAULT-VALUE})."
      })
  private String experiment = "";

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "" + FILES,
      description = "Files, each with a map of its own (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      description = "MiB of each file (default: 96; with --quick 32).")
  private @Nullable Integer megabytes;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows that the sort of e5 sorts (default: 7680000; with --quick 3840000).")
  private @Nullable Long rows;

  /** Called by picocli. */
  public DfsIoCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    return ExperimentBench.call(terminal, json, options, plan(), DfsIoCommand::workload);
  }

  /**
   * What this command measures that has to do with temporary data.
   *
   * @param sort whose temporary data that is
   * @param quick with small files
   */
  public static List<Chapter> chapters(TeraSort sort, boolean quick) {
    DfsFiles some = new DfsFiles(FILES, quick ? QUICK_MEGABYTES : MEGABYTES);
    // Two jobs are to end beside it; those with small files do beside any.
    TeraSort giant = quick ? sort : TeraSort.of(2 * sort.rows(), sort.maxBlockBytes());
    DfsIoExperiment beside = DfsIoExperiment.E5;
    return List.of(new Chapter(beside.experiment(), beside.workload(some, giant)));
  }

  /** What is measured for the experiment of a label, if it is one of this command. */
  public static Optional<Class<? extends Workload>> workload(String label) {
    return DfsIoExperiment.workload(label);
  }

  private ExperimentPlan plan() {
    DfsIoExperiment chosen =
        DfsIoExperiment.of(experiment)
            .orElseThrow(
                () -> terminal.wrongUse("--experiment=" + experiment + " is neither dfsio nor e5"));
    int each = megabytes != null ? megabytes : options.quick() ? QUICK_MEGABYTES : MEGABYTES;
    long planRows = rows != null ? rows : TeraSort.usualRows(options.quick());
    terminal.atLeastOne("--files", files);
    terminal.atLeastOne("--megabytes", each);
    terminal.atLeastOne("--rows", planRows);
    return options.plan(
        terminal,
        chosen.experiment(),
        chosen.workload(
            new DfsFiles(files, each), TeraSort.of(planRows, TeraSort.usual().maxBlockBytes())));
  }
}
