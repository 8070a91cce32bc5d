// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.dfsio;

import io.temptier.bench.dfsio.DfsFiles.Access;
import io.temptier.bench.dfsio.DfsFiles.Passed;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import io.temptier.bench.terasort.BesideGiant;
import io.temptier.bench.terasort.TeraSort;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench dfsio} command. */
@Command(
    name = "dfsio",
    description = {
      "Hadoop's TestDFSIO on an emulated worker node: files written to HDFS, and cold ones read.",
      "It has next to no temporary data, so that by itself the arms must not differ; with"
          + " --experiment e5 it runs beside a sort, whose temporary data lies on HDFS's disks or"
          + " does not. Needs root. MB/s are MiB/s of one file, as TestDFSIO prints them."
    })
public final class DfsIoCommand extends JobCommand {
  private static final int FILES = 2;
  private static final int MEGABYTES = 96;
  private static final int QUICK_MEGABYTES = 32;

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
      names = "--rows",
      paramLabel = "N",
      description = "Rows that the sort of e5 sorts (default: 7680000; with --quick 3840000).")
  private @Nullable Long rows;

  /** What this command measures that has to do with temporary data. */
  public static List<Experiment> experiments(TeraSort sort, boolean quick) {
    DfsFiles some = files(quick);
    // Two jobs are to end beside it; those with small files do beside any.
    TeraSort giant = quick ? sort : TeraSort.of(2 * sort.rows(), sort.maxBlockBytes());
    return List.of(besideSort(some, giant));
  }

  private static DfsFiles files(boolean quick) {
    return new DfsFiles(FILES, quick ? QUICK_MEGABYTES : MEGABYTES);
  }

  @Override
  protected JobPlan plan() {
    boolean alone = experiment.equals("dfsio");
    if (!alone && !experiment.equals("e5")) {
      throw terminal.wrongUse("--experiment=" + experiment + " is neither dfsio nor e5");
    }
    long planRows = rows != null ? rows : TeraSort.usualRows(options.quick());
    terminal.atLeastOne("--rows", planRows);
    DfsFiles some = files(options.quick());
    return plan(
        alone
            ? alone(some)
            : besideSort(some, TeraSort.of(planRows, TeraSort.usual().maxBlockBytes())));
  }

  /** Whether HDFS by itself is as fast as it was. */
  static Experiment alone(DfsFiles files) {
    NodeSetting node = NodeSetting.of("3 HDDs", 3, NodeSetting.FITS);
    return experiment("dfsio", "HDFS by itself", node, new DfsIo(files));
  }

  static Experiment besideSort(DfsFiles files, TeraSort sort) {
    NodeSetting node =
        NodeSetting.of("two queues", 3, NodeSetting.FITS).withTasks(BesideGiant.TASKS);
    return experiment("e5", "HDFS beside temporary data", node, new DfsIoBesideSort(files, sort));
  }

  private static Experiment experiment(
      String label, String question, NodeSetting node, JobWorkload workload) {
    List<Arm> arms = List.of(Arm.STOCK_HDD, Arm.TEMPTIER);
    return new Experiment("dfsio", label, question, List.of(node), arms, workload);
  }

  /**
   * TestDFSIO by itself: writes files, and reads others that are cold. Compared is the time of both
   * jobs.
   */
  record DfsIo(DfsFiles files) implements JobWorkload {
    private static final String WRITE = "writeMbps";
    private static final String READ = "readMbps";
    private static final String COLD = "cold";

    /** What a job's files take that is neither input nor output: next to nothing. */
    private static final long TEMP_BYTES = 64L << 20;

    @Override
    public String title(NodeSetting setting) {
      return "TestDFSIO writes and reads " + files;
    }

    @Override
    public Volume volume() {
      return new Volume(files.bytes(), 2 * files.bytes(), TEMP_BYTES);
    }

    @Override
    public List<Figure> figures() {
      return List.of(new Figure(WRITE, "write, MB/s per file"), new Figure(READ, "read"));
    }

    @Override
    public boolean anyCluster() {
      return true;
    }

    @Override
    public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
      files.make(jobs, jobs.path(COLD));
    }

    @Override
    public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
      Passed write = files.pass(Access.WRITE, trial, trial.output());
      Passed read = files.pass(Access.READ, trial, trial.jobs().path(COLD));
      return TrialOutcome.of(
              List.of(write.job(), read.job()),
              TrialOutcome.seconds(write.job()) + TrialOutcome.seconds(read.job()),
              Map.of(WRITE, write.mbPerSecond(), READ, read.mbPerSecond()))
          .failedUnless(write.whole() && read.whole(), DfsFiles.SHORT);
    }

    @Override
    public boolean validate(TrialRun trial) {
      return true;
    }

    /** Where next to no temporary data is written, nothing is to be won, and nothing to be lost. */
    @Override
    public List<Goal> goals(ExperimentResult result) {
      return List.of(
          result.noSlower("dfsio-vs-hdd", "TestDFSIO", result.setting(), Arm.STOCK_HDD),
          result.nothingFails("dfsio-failed-tasks", "TestDFSIO: no failed task, no byte missing"));
    }
  }
}
