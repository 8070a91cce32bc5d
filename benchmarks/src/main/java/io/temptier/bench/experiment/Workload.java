// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.lab.testbed.EmulatedDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an experiment measures. Implemented by records, whose components are what an experiment's
 * file says of it: numbers, texts, and records of such.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, property = "class")
public interface Workload {
  /** What is measured, and where; for people, a sentence without its full stop. */
  String lead(Plan plan);

  String description(Plan plan, Setting setting);

  /**
   * What of a plan can be measured.
   *
   * @throws IllegalArgumentException when an option is of no use to it; the text is for people
   */
  default Plan fitted(Plan plan) {
    return plan;
  }

  /** This in a new run: what it needs for that is made in the run's folder. */
  default Workload begun(Plan plan, Path folder) throws IOException {
    return this;
  }

  /** Each setting is measured on a testbed of its own. */
  default List<Part> parts(Plan plan) {
    return plan.experiment().settings().stream()
        .map(one -> new Part(List.of(one.name()), plan.experiment().arms(one)))
        .toList();
  }

  /** What arms are compared by. */
  default Figure compared() {
    return Figure.SECONDS;
  }

  /** What else is measured, in the order to show it. */
  List<Figure> figures(Plan plan);

  /**
   * Whether a trial runs jobs, whose tasks may fail and whose disks and cores may be watched; else
   * nothing is told of these.
   */
  default boolean runsJobs() {
    return false;
  }

  /** Why it cannot be measured here, or empty. */
  default Optional<String> hindrance(Plan plan) throws IOException {
    return plan.site().emulated() ? EmulatedDisk.hindrance() : Optional.empty();
  }

  /**
   * Makes the testbed of a part.
   *
   * @throws IOException when it cannot be made; nothing is left then
   */
  Testbed open(Plan plan, Part part, ExperimentRun run) throws IOException, InterruptedException;

  /** What the trials of a part are made on: a cluster on a node, servers under load, clients. */
  interface Testbed extends Closeable {
    /** Whether that trial can be made on it; when not, it has noted why. */
    default boolean runs(TrialId id) {
      return true;
    }

    /**
     * Makes one.
     *
     * @return also when what is measured failed
     * @throws IOException when the testbed fails; the run ends then
     */
    Trial run(TrialId id) throws IOException, InterruptedException;
  }
}
