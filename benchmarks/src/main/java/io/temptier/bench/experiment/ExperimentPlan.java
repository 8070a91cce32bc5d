// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Goal;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A question, and by what it is answered: arms as data, and how one trial of an arm is made.
 * Implemented by records, since it is kept as JSON to continue a run that was interrupted:
 * components are numbers, texts, and records and lists of such.
 */
public interface ExperimentPlan {
  String command();

  /** Its name for programs, such as {@code e1}. */
  default String label() {
    return command();
  }

  String question();

  /** For people: label and question, or the question alone where it begins with the label. */
  default String title() {
    String label = label().toUpperCase(Locale.ROOT);
    return question().toUpperCase(Locale.ROOT).startsWith(label)
        ? question()
        : label + ": " + question();
  }

  /** What is measured, and where; for people, a sentence without its full stop. */
  String lead();

  List<Part> parts();

  int rounds();

  /** Lines that say what is known beforehand not to be measured, and why. */
  default List<String> skipped() {
    return List.of();
  }

  String description(String setting);

  default Figure compared() {
    return Figure.SECONDS;
  }

  /** What else is measured, in the order to show it. */
  List<Figure> figures();

  /**
   * Whether a trial runs jobs, whose tasks may fail and whose disks and cores may be watched; else
   * nothing is told of these.
   */
  default boolean runsJobs() {
    return false;
  }

  List<Goal> goals(ExperimentResult result);

  /** Puts the plan's numbers, for programs. */
  void describe(ObjectNode node);

  /** Why it cannot be measured here, or empty. */
  default Optional<String> hindrance() throws IOException {
    return Optional.empty();
  }

  /**
   * Makes the testbed of a part.
   *
   * @throws IOException when it cannot be made; nothing is left then
   */
  Testbed open(Part part, ExperimentRun run) throws IOException, InterruptedException;

  default List<String> settings() {
    return parts().stream().flatMap(part -> part.settings().stream()).toList();
  }

  default int trials() {
    return parts().stream().mapToInt(part -> part.trials(rounds()).size()).sum();
  }

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
