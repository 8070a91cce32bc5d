// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.util.List;

/**
 * How a program ended that submits many MapReduce jobs.
 *
 * @param exitCode of the program; not 0 when it was ended for taking too long
 * @param seconds wall clock, from the submission of the first job to the end of the last, as the
 *     ResourceManager knows them; 0 without a job
 */
public record BatchResult(int exitCode, double seconds, List<JobResult> jobs, List<String> log) {
  public BatchResult {
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
