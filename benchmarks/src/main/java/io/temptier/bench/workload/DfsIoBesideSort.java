// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.workload.JobWorkload.TrialRun;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TestDFSIO alone, and then beside a sort in a queue of its own. What it reads is cold each time.
 * Compared is the time of both its jobs beside the sort.
 *
 * @param megabytes the size of each file, in MiB
 */
public record DfsIoBesideSort(int files, int megabytes, long rows, long block)
    implements BesideGiant {
  /** MB/s beside the sort; missing where the sort ended first. */
  static final String WRITE_BESIDE = "writeBesideMbps";

  static final String READ_BESIDE = "readBesideMbps";
  private static final String WRITE_ALONE = "writeAloneMbps";
  private static final String READ_ALONE = "readAloneMbps";
  private static final String SORT = "sortSeconds";
  private static final String COLD_ALONE = "cold-alone";
  private static final String COLD_BESIDE = "cold-beside";
  private static final int COLD_SETS = 2;
  private static final int WRITTEN_SETS = 2;
  private static final String WRITE = "-write";
  private static final String READ = "-read";
  private static final Pattern RATE = Pattern.compile("Throughput mb/sec: +([0-9.]+)");
  private static final Pattern PROCESSED = Pattern.compile("Total MBytes processed: +([0-9.]+)");

  @Override
  public String title(Setting setting) {
    return ("TestDFSIO writes and reads %s files of %s MiB, alone and beside a %s, each in a queue"
            + " of its own")
        .formatted(files, megabytes, giant().title(setting));
  }

  @Override
  public Volume volume() {
    long set = ((long) files * megabytes) << 20;
    long input = giant().volume().input() + COLD_SETS * set;
    long hdfs =
        giant().volume().hdfs() + giant().volume().input() + (COLD_SETS + WRITTEN_SETS) * set;
    return new Volume(input, hdfs, giant().volume().temp());
  }

  @Override
  public TeraSort giant() {
    return TeraSort.of(rows, block);
  }

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(WRITE_ALONE, "write alone, MB/s per file"),
        new Figure(WRITE_BESIDE, "beside"),
        new Figure(READ_ALONE, "read alone"),
        new Figure(READ_BESIDE, "beside"),
        new Figure(SORT, "sort, s"));
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    giant().prepare(setting, jobs);
    for (String cold : List.of(COLD_ALONE, COLD_BESIDE)) {
      Passed made = pass(WRITE, jobs, Map.of(), jobs.path(cold));
      if (!made.whole()) {
        throw new IOException(
            "TestDFSIO could not write: " + made.job().state() + ": " + made.job().lastLines());
      }
    }
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Map<String, Double> figures = new HashMap<>();
    Passed writeAlone = pass(WRITE, trial, trial.output() + "-alone");
    Passed readAlone = pass(READ, trial, trial.jobs().path(COLD_ALONE));
    figures.put(WRITE_ALONE, writeAlone.mbPerSecond());
    figures.put(READ_ALONE, readAlone.mbPerSecond());
    BackgroundJob<JobResult> background = startGiant(trial, trial.output());
    Passed write = pass(WRITE, trial, trial.output() + "-beside");
    if (background.running()) {
      figures.put(WRITE_BESIDE, write.mbPerSecond());
    }
    JobResult sorted = background.result();
    // Reading is to meet the sort in its maps, too, and not only its end.
    background = startGiant(trial, again(trial));
    Passed read = pass(READ, trial, trial.jobs().path(COLD_BESIDE));
    if (background.running()) {
      figures.put(READ_BESIDE, read.mbPerSecond());
    }
    JobResult sortedAgain = background.result();
    figures.put(SORT, (TrialOutcome.seconds(sorted) + TrialOutcome.seconds(sortedAgain)) / 2);
    List<Passed> all = List.of(writeAlone, readAlone, write, read);
    return TrialOutcome.of(
            List.of(
                writeAlone.job(), readAlone.job(), write.job(), read.job(), sorted, sortedAgain),
            TrialOutcome.seconds(write.job()) + TrialOutcome.seconds(read.job()),
            figures)
        .failedUnless(all.stream().allMatch(Passed::whole), "BYTES MISSING");
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return giant().validate(trial) && giant().sorted(trial, again(trial));
  }

  private static String again(TrialRun trial) {
    return trial.output() + "-again";
  }

  /**
   * What came of writing or reading all.
   *
   * @param mbPerSecond of one file, in MiB, as TestDFSIO reckons it
   */
  record Passed(JobResult job, double mbPerSecond, boolean whole) {}

  /** Writes or reads all in a folder of HDFS, each file by a map of its own. */
  private Passed pass(String access, TrialRun trial, String folder)
      throws IOException, InterruptedException {
    return pass(access, trial.jobs(), trial.armProperties(), folder);
  }

  private Passed pass(String access, Jobs jobs, Map<String, String> arms, String folder)
      throws IOException, InterruptedException {
    Map<String, String> properties = new HashMap<>(arms);
    properties.put("test.build.data", folder);
    String[] arguments =
        HadoopCluster.arguments(
            properties, access, "-nrFiles", Integer.toString(files), "-size", megabytes + "MB");
    return passed(
        jobs.program(
            "TestDFSIO " + access, line -> {}, "org.apache.hadoop.fs.TestDFSIO", arguments));
  }

  Passed passed(JobResult job) {
    // It rounds to two digits.
    long processed = Math.round(number(job.log(), PROCESSED));
    boolean whole = job.succeeded() && processed == (long) files * megabytes;
    return new Passed(job, number(job.log(), RATE), whole);
  }

  private static double number(List<String> lines, Pattern pattern) {
    return lines.stream()
        .map(pattern::matcher)
        .filter(Matcher::find)
        .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
        .findFirst()
        .orElse(0);
  }
}
