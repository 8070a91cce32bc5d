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
package io.temptier.bench.gridmix;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How Gridmix is run: its jobs do what the trace says with bytes, and are otherwise set up as this
 * node is and not as that of the trace was.
 *
 * @param policy when the next job is submitted
 * @param jobsAtOnce that the node runs, under {@link Policy#STRESS}
 * @param block of HDFS, and the size of the input's files, in bytes
 */
record GridmixProperties(Policy policy, int jobsAtOnce, long block) {
  /** Hadoop's program. */
  static final String MAIN = "org.apache.hadoop.mapred.gridmix.Gridmix";

  /** Its folder in HDFS; the input is in {@code input} below it. */
  static final String IO_PATH = "/gridmix";

  /**
   * Under {@link Policy#STRESS} Gridmix submits no job while five others with reduces run: on YARN
   * it takes every node for one with two slots for reduces, and wants 2.5 times as many tasks.
   */
  static final int MOST_JOBS_AT_ONCE = 5;

  /** All of them. */
  Map<String, String> forOutput(String folder) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("gridmix.job-submission.policy", policy.name());
    properties.put("gridmix.output.directory", folder);
    properties.put("gridmix.throttle.jobs-to-tracker-ratio", Integer.toString(jobsAtOnce));
    // In the order of the trace.
    properties.put("gridmix.client.submit.threads", "1");
    // Its default takes no file below 128 MiB for input.
    properties.put("gridmix.min.file.size", "1");
    properties.put("gridmix.gen.bytes.per.file", Long.toString(block));
    properties.put("gridmix.gen.blocksize", Long.toString(block));
    properties.put("gridmix.gen.replicas", "1");
    // Plain bytes: what is compressed would be smaller on disk than the trace says.
    properties.put("gridmix.compression-emulation.enable", "false");
    properties.put("gridmix.distributed-cache-emulation.enable", "false");
    properties.put("gridmix.highram-emulation.enable", "false");
    properties.put("gridmix.task.jvm-options.enable", "false");
    return properties;
  }
}
