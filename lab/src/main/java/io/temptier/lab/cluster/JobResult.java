// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ending of a MapReduce program, told by the JobHistoryServer; by its client where it ran there.
 *
 * @param jobId the id of its (last) job, or empty when none was submitted
 * @param seconds wall clock, from the client's start to its end
 * @param jobSeconds wall clock, from the job's start to its end
 * @param submittedSeconds wall clock, from the job's submission to its end
 * @param counters the job's own report: group, name, value
 */
public record JobResult(
    String name,
    String jobId,
    int exitCode,
    double seconds,
    double jobSeconds,
    double submittedSeconds,
    String state,
    int maps,
    int reduces,
    int failedAttempts,
    int killedAttempts,
    Map<String, Map<String, Long>> counters,
    List<String> log) {

  private static final int LAST_LINES = 20;
  private static final String FILE_SYSTEMS = "org.apache.hadoop.mapreduce.FileSystemCounter";
  private static final Pattern OURS =
      Pattern.compile("TEMPTIER-([A-Z-]+)_(WRITE_OPS|BYTES_WRITTEN)");

  public JobResult {
    counters = Map.copyOf(counters);
    log = List.copyOf(log);
  }

  public boolean succeeded() {
    return exitCode == 0 && state.equals("SUCCEEDED");
  }

  /**
   * Returns this, if it succeeded.
   *
   * @throws IOException when it did not; the message has what its client printed last
   */
  public JobResult requireSuccess() throws IOException {
    if (succeeded()) {
      return this;
    }
    throw new IOException(
        "%s ended as %s with exit code %s and %s failed attempts. Its last lines:\n%s"
            .formatted(name, state, exitCode, failedAttempts, lastLines()));
  }

  /** The end of what its client printed, without stack traces. */
  public String lastLines() {
    return lastLines(log);
  }

  static String lastLines(List<String> log) {
    List<String> lines = log.stream().filter(line -> !line.startsWith("\tat ")).toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  /**
   * Returns the files and bytes that TempTier placed for the job, out of the counters of file
   * systems: {@code NVME_FILES}, {@code NVME_BYTES}, {@code SPILLED_DOWN_BYTES} and the like. Empty
   * without TempTier.
   */
  public Map<String, Long> placed() {
    return placed(counters.getOrDefault(FILE_SYSTEMS, Map.of()));
  }

  /** Picks TempTier's out of any framework's counters of file systems, by name. */
  static Map<String, Long> placed(Map<String, Long> ofFileSystems) {
    Map<String, Long> placed = new TreeMap<>();
    ofFileSystems.forEach(
        (name, value) -> {
          Matcher ours = OURS.matcher(name);
          if (ours.matches() && value > 0) {
            String what = ours.group(2).equals("WRITE_OPS") ? "_FILES" : "_BYTES";
            placed.put(ours.group(1).replace('-', '_') + what, value);
          }
        });
    return placed;
  }

  /** Returns one of {@link #placed}, 0 when it is not there. */
  public long placed(String name) {
    return placed().getOrDefault(name, 0L);
  }

  /** A counter's value, 0 when the job never touched it. */
  public long counter(String group, String counter) {
    return counters.getOrDefault(group, Map.of()).getOrDefault(counter, 0L);
  }

  /**
   * Ending of a program that submits many MapReduce jobs.
   *
   * @param exitCode of the program; not 0 when it was ended for taking too long
   * @param seconds wall clock, from the submission of the first job to the end of the last, as the
   *     ResourceManager knows them; 0 without a job
   */
  public record Batch(int exitCode, double seconds, List<JobResult> jobs, List<String> log) {
    public Batch {
      jobs = List.copyOf(jobs);
      log = List.copyOf(log);
    }

    /** The end of what the program printed, without stack traces. */
    public String lastLines() {
      return JobResult.lastLines(log);
    }

    public long counter(String group, String counter) {
      return jobs.stream().mapToLong(job -> job.counter(group, counter)).sum();
    }
  }
}
