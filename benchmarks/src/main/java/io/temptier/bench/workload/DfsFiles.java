// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.jobs.JobWorkload.TrialRun;
import io.temptier.bench.jobs.Jobs;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that Hadoop's TestDFSIO writes or reads, each by a map of its own.
 *
 * @param megabytes the size of each, in MiB
 */
record DfsFiles(int count, int megabytes) {
  /** The state of a trial in which TestDFSIO wrote or read less than it was to. */
  static final String SHORT = "BYTES MISSING";

  static final String WRITE = "-write";
  static final String READ = "-read";

  private static final String TEST_DFSIO = "org.apache.hadoop.fs.TestDFSIO";
  private static final String FOLDER = "test.build.data";
  private static final Pattern RATE = Pattern.compile("Throughput mb/sec: +([0-9.]+)");
  private static final Pattern PROCESSED = Pattern.compile("Total MBytes processed: +([0-9.]+)");

  /**
   * What came of it.
   *
   * @param mbPerSecond of one file, in MiB, as TestDFSIO reckons it
   */
  record Passed(JobResult job, double mbPerSecond, boolean whole) {}

  long bytes() {
    return ((long) count * megabytes) << 20;
  }

  void make(Jobs jobs, String folder) throws IOException, InterruptedException {
    Passed made = pass(WRITE, jobs, new HashMap<>(), folder);
    if (!made.whole()) {
      throw new IOException(
          "TestDFSIO could not write: " + made.job().state() + ": " + made.job().lastLines());
    }
  }

  /**
   * Writes or reads all in a folder of HDFS, as the trial's arm does.
   *
   * @param access {@link #WRITE} or {@link #READ}
   */
  Passed pass(String access, TrialRun trial, String folder)
      throws IOException, InterruptedException {
    return pass(access, trial.jobs(), trial.properties(Map.of()), folder);
  }

  private Passed pass(String access, Jobs jobs, Map<String, String> properties, String folder)
      throws IOException, InterruptedException {
    properties.put(FOLDER, folder);
    String files = Integer.toString(count);
    String[] arguments =
        HadoopCluster.arguments(properties, access, "-nrFiles", files, "-size", megabytes + "MB");
    return passed(jobs.program("TestDFSIO " + access, line -> {}, TEST_DFSIO, arguments));
  }

  Passed passed(JobResult job) {
    double processed = number(job.log(), PROCESSED).orElse(0.0);
    // It rounds to two digits.
    boolean whole = job.succeeded() && Math.round(processed) == (long) count * megabytes;
    return new Passed(job, number(job.log(), RATE).orElse(0.0), whole);
  }

  private static Optional<Double> number(List<String> lines, Pattern pattern) {
    return lines.stream()
        .map(pattern::matcher)
        .filter(Matcher::find)
        .map(matcher -> Double.parseDouble(matcher.group(1)))
        .findFirst();
  }

  @Override
  public String toString() {
    return count + " files of " + megabytes + " MiB";
  }
}
