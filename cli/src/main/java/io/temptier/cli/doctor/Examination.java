// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.Deadline;
import io.temptier.tier.text.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A doctor at work: asks one check after another, each within its time, and gathers what they find
 * and what stayed without an answer. Not thread-safe.
 */
public final class Examination {
  private final Consumer<String> progress;

  /** The worst first; a heading without any is fine. */
  final SortedMap<Heading, List<Finding>> findings = new TreeMap<>();

  /** Checks that were left out, by the reason in words that go after "since". */
  final SortedMap<String, List<Check<?>>> leftOut = new TreeMap<>();

  /** Checks without an answer, which leave a doubt, by the reason. */
  final SortedMap<String, List<Check<?>>> unanswered = new TreeMap<>();

  /** {@code progress} is told each question. */
  public Examination(Consumer<String> progress) {
    this.progress = progress;
  }

  /** Asks all of them, each for so long at most. What fails or does not end has no answer. */
  public <T> void askEach(List<Check<T>> checks, T subject, Duration time) {
    for (Check<T> check : checks) {
      Throwable failure = ask(check, subject, time);
      if (failure instanceof TimeoutException) {
        unanswered(check, "it took longer than " + time.getSeconds() + " s");
      } else if (failure != null) {
        unanswered(check, "it failed with " + failure);
      }
    }
  }

  /**
   * Asks, and takes down what is found.
   *
   * @param time how long it may take; then it is left behind on its thread
   * @return why there is no answer, a {@link TimeoutException} when time was over; null when there
   *     is one
   */
  public <T> @Nullable Throwable ask(Check<T> check, T subject, Duration time) {
    progress.accept(check.question());
    try {
      add(
          check.heading(),
          Deadline.within(time, "to " + check.question(), () -> check.look().at(subject)));
      return null;
    } catch (TimeoutException e) {
      return e;
    } catch (ExecutionException e) {
      return e.getCause() == null ? e : e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    }
  }

  /** Takes findings down, the worst first; none means that all is well under that heading. */
  public void add(Heading heading, List<Finding> found) {
    List<Finding> all = findings.computeIfAbsent(heading, key -> new ArrayList<>());
    all.addAll(found);
    all.sort(Comparator.comparing(Finding::severity).reversed());
  }

  /** What is known to be wrong so far, by its key. */
  public Set<String> errors() {
    return findings.values().stream()
        .flatMap(List::stream)
        .filter(found -> found.severity() == Finding.Severity.ERROR)
        .map(Finding::key)
        .collect(Collectors.toSet());
  }

  /** Leaves a check out, for a reason that is no doubt of its own. */
  public void leaveOut(Check<?> check, String why) {
    leftOut.computeIfAbsent(why, any -> new ArrayList<>()).add(check);
  }

  /** Notes that a check has no answer: what it looks at is not known to be fine. */
  public void unanswered(Check<?> check, String why) {
    unanswered.computeIfAbsent(why, any -> new ArrayList<>()).add(check);
  }

  /**
   * Ends it.
   *
   * @param secrets kept out of the report
   * @param head the first lines for people: what was examined
   * @param about the first members for programs: what was examined
   * @param ready what it is that is ready, for people; empty where there is nothing to add
   */
  public DoctorReport report(
      Secrets secrets, List<String> head, Map<String, Object> about, String ready) {
    return new DoctorReport(this, secrets, head, about, ready);
  }
}
