// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

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
 * TestDFSIO: writes files, and reads others that are cold, each by a map of its own.
 *
 * @param megabytes the size of each file, in MiB
 */
record DfsIo(int files, int megabytes) {
  /** The state of a trial in which TestDFSIO wrote or read less than it was to. */
  static final String SHORT = "BYTES MISSING";

  static final String WRITE = "-write";
  static final String READ = "-read";
  private static final Pattern RATE = Pattern.compile("Throughput mb/sec: +([0-9.]+)");
  private static final Pattern PROCESSED = Pattern.compile("Total MBytes processed: +([0-9.]+)");

  String words() {
    return files + " files of " + megabytes + " MiB";
  }

  long bytes() {
    return ((long) files * megabytes) << 20;
  }

  /** Writes all to a folder, which is not measured. */
  void make(Jobs jobs, String folder) throws IOException, InterruptedException {
    Passed made = pass(WRITE, jobs, Map.of(), folder);
    if (!made.whole()) {
      throw new IOException(
          "TestDFSIO could not write: " + made.job().state() + ": " + made.job().lastLines());
    }
  }

  /**
   * What came of writing or reading all.
   *
   * @param mbPerSecond of one file, in MiB, as TestDFSIO reckons it
   */
  record Passed(JobResult job, double mbPerSecond, boolean whole) {}

  /**
   * Writes or reads all in a folder of HDFS, as the trial's arm does.
   *
   * @param access {@link #WRITE} or {@link #READ}
   */
  Passed pass(String access, TrialRun trial, String folder)
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
