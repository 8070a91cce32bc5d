// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Ending of an application of {@link io.temptier.lab.spark.SparkWork}.
 *
 * @param application its id, empty when it never ran
 * @param tasks what became of its tasks; zeros when its driver was lost
 */
public record SparkResult(
    int exitCode,
    String application,
    double seconds,
    List<Step> steps,
    Tasks tasks,
    List<String> log) {
  private static final String APPLICATION = "APPLICATION";
  private static final String STEP = "STEP";
  private static final String TASKS = "TASKS";

  public SparkResult {
    steps = List.copyOf(steps);
    log = List.copyOf(log);
  }

  public record Step(String name, String digest, long millis) {}

  /**
   * Counts of an application's tasks.
   *
   * @param notFetched attempts that failed since a shuffle's file could not be had
   */
  public record Tasks(
      long ended,
      long failed,
      long notFetched,
      long spilledBytes,
      long shuffledBytes,
      long cpuMillis) {
    /** Stands for an application whose driver was lost before it told. */
    static final Tasks UNKNOWN = new Tasks(0, 0, 0, 0, 0, 0);
  }

  static SparkResult of(ClientProcess ended, List<String> told) {
    String application = "";
    List<Step> steps = new ArrayList<>();
    Tasks tasks = Tasks.UNKNOWN;
    for (String line : told) {
      List<String> fields = List.of(line.split("\t", -1));
      switch (fields.get(0)) {
        case APPLICATION -> application = fields.get(1);
        case STEP ->
            steps.add(new Step(fields.get(1), fields.get(2), Long.parseLong(fields.get(3))));
        case TASKS -> tasks = tasks(fields);
        default -> {
          // Something that Spark logs.
        }
      }
    }
    return new SparkResult(
        ended.exitCode(), application, ended.seconds(), steps, tasks, ended.log());
  }

  private static Tasks tasks(List<String> fields) {
    long[] counts = fields.stream().skip(1).mapToLong(Long::parseLong).toArray();
    return new Tasks(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
  }

  public boolean succeeded() {
    return exitCode == 0;
  }

  public List<String> digests() {
    return steps.stream().map(step -> step.name() + " " + step.digest()).toList();
  }

  public static List<String> digests(List<String> report) {
    return of(new ClientProcess(0, 0, report), report).digests();
  }
}
