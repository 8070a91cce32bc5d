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
package io.temptier.bench.cluster;

import java.util.List;

/**
 * How a program ended that submits many MapReduce jobs.
 *
 * @param exitCode of the program, or -1 when it was ended for taking too long
 * @param seconds wall clock, from the submission of the first job to the end of the last, as the
 *     ResourceManager knows them; 0 without a job
 * @param jobs in the order of their submission
 * @param log the program's output
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

  /** A counter's sum over all jobs. */
  public long counter(String group, String counter) {
    return jobs.stream().mapToLong(job -> job.counter(group, counter)).sum();
  }
}
