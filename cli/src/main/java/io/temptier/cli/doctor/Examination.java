// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.Deadline;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A doctor at work: asks one check after another, each within its time, gathers what they find and
 * what stayed without an answer, and reports it. Ready is only what was asked in full: a check
 * without an answer makes it not ready, as an error does, with an exit code of its own. Not
 * thread-safe.
 */
public final class Examination {
  /** Limit of left-out checks that are named beside an error that says all; JSON has all. */
  private static final int MOST_NAMED = 8;

  private static final String INDENT = "          ";
  private static final Map<Severity, String> STYLES =
      Immutable.mapOf(
          Severity.ERROR, "bold,red",
          Severity.UNKNOWN, "bold,yellow",
          Severity.WARNING, "yellow",
          Severity.INFO, "faint");

  private final Consumer<String> progress;
  private final Secrets secrets;

  /** The worst first; a heading without any is fine. */
  private final SortedMap<Heading, List<Finding>> findings = new TreeMap<>();

  /** Questions that were not asked, by the reason in words that go after "since". */
  private final SortedMap<String, List<String>> leftOut = new TreeMap<>();

  /** Questions without an answer, which leave a doubt, by the reason. */
  private final SortedMap<String, List<String>> unanswered = new TreeMap<>();

  /** Headings with checks that were left out or have no answer. */
  private final Set<Heading> partly = EnumSet.noneOf(Heading.class);

  private Set<String> accepted = Immutable.setOf();

  /** {@code progress} is told each question; {@code secrets} are kept out of the report. */
  public Examination(Consumer<String> progress, Secrets secrets) {
    this.progress = progress;
    this.secrets = secrets;
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
   * Asks, and takes down what is found. When time is over, it is left behind on its thread.
   *
   * @return why there is no answer, such as a {@link TimeoutException}; null when there is one
   */
  public <T> @Nullable Throwable ask(Check<T> check, T subject, Duration time) {
    progress.accept(check.question());
    // What is left behind may tell on.
    List<Finding> found = new CopyOnWriteArrayList<>();
    Throwable failure = null;
    try {
      Deadline.within(
          time,
          "to " + check.question(),
          new AtomicLong(System.nanoTime()),
          () -> {
            check.look().at(subject, found::add);
            return true;
          });
    } catch (TimeoutException e) {
      failure = e;
    } catch (ExecutionException e) {
      failure = e.getCause() == null ? e : e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = e;
    }
    if (failure == null || !found.isEmpty()) {
      add(check.heading(), found);
    }
    return failure;
  }

  /** Takes warnings of these keys for remarks. */
  void accept(Set<String> keys) {
    accepted = keys;
  }

  /** Takes findings down, the worst first; none means that all is well under that heading. */
  public void add(Heading heading, List<Finding> found) {
    List<Finding> all = findings.computeIfAbsent(heading, key -> new ArrayList<>());
    found.stream()
        .map(each -> secrets.without(each).accepted(accepted))
        .filter(each -> !all.contains(each))
        .forEach(all::add);
    all.sort(Comparator.comparing(Finding::severity).reversed());
  }

  /** Returns the keys of all errors found so far. */
  public Set<String> errors() {
    return of(Severity.ERROR).map(Finding::key).collect(Collectors.toSet());
  }

  private Stream<Finding> of(Severity severity) {
    return findings.values().stream()
        .flatMap(List::stream)
        .filter(finding -> finding.severity() == severity);
  }

  /** Leaves a check out, for a reason that is no doubt of its own. */
  public void leaveOut(Check<?> check, String why) {
    note(leftOut, check, why);
  }

  /** Notes that a check has no answer: what it looks at is not known to be fine. */
  public void unanswered(Check<?> check, String why) {
    note(unanswered, check, why);
  }

  private void note(Map<String, List<String>> questions, Check<?> check, String why) {
    questions.computeIfAbsent(secrets.without(why), key -> new ArrayList<>()).add(check.question());
    partly.add(check.heading());
  }

  /**
   * Prints the report, writes it as JSON if that is wanted, and gives the exit code. What was
   * examined says {@code head} to people and {@code about} to programs.
   *
   * @param ready what it is that is ready, for people; empty where there is nothing to add
   */
  public int publish(
      List<String> head, ObjectNode about, String ready, JsonFile json, Terminal terminal) {
    String verdict = verdict(ready);
    PrintWriter out = json.textOf(terminal);
    String fine = count(Severity.WARNING) > 0 ? "bold,yellow" : "bold,green";
    out.println(terminal.styled(exitCode() == ExitCodes.FINE ? fine : "bold,red", verdict));
    head.forEach(out::println);
    out.println();
    print(out, terminal);
    addTo(about, verdict);
    json.write(about, terminal);
    return exitCode();
  }

  private int exitCode() {
    if (count(Severity.ERROR) + count(Severity.UNKNOWN) > 0) {
      return ExitCodes.FAILED;
    }
    return unanswered.isEmpty() ? ExitCodes.FINE : ExitCodes.UNANSWERED;
  }

  private long count(Severity severity) {
    return of(severity).count();
  }

  private List<String> doubts() {
    return unanswered.values().stream().flatMap(List::stream).collect(Immutable.toList());
  }

  private String verdict(String what) {
    String warnings = counted(count(Severity.WARNING), "warning");
    boolean fine = exitCode() == ExitCodes.FINE;
    if (fine && !what.isEmpty()) {
      String but = count(Severity.WARNING) > 0 ? ", with " + warnings : "";
      return "Ready" + but + ": " + what + ".";
    }
    boolean wrong = count(Severity.ERROR) > 0;
    String ready = fine ? "Ready: " : wrong ? "Not ready: " : "Not known to be ready: ";
    List<String> parts = new ArrayList<>();
    parts.add(ready + counted(count(Severity.ERROR), "error"));
    if (count(Severity.UNKNOWN) > 0) {
      parts.add(count(Severity.UNKNOWN) + " unknown");
    }
    if (!unanswered.isEmpty()) {
      parts.add(counted(doubts().size(), "check") + " without an answer");
    }
    parts.add(warnings);
    parts.add(counted(count(Severity.INFO), "remark") + ".");
    return String.join(", ", parts);
  }

  private static String counted(long count, String what) {
    return count == 0 ? "no " + what + "s" : Words.plural(count, what);
  }

  private void print(PrintWriter out, Terminal terminal) {
    findings.forEach((heading, found) -> print(out, terminal, heading, found));
    String notAsked = terminal.styled("bold", "Not asked") + ", since ";
    leftOut.forEach(
        (why, left) -> {
          if (left.size() > MOST_NAMED && count(Severity.ERROR) > 0) {
            out.println(notAsked + why + ": " + left.size() + " checks");
          } else {
            printQuestions(out, notAsked + why, left);
          }
        });
    String notAnswered = terminal.styled("bold", "Not answered") + ", since ";
    unanswered.forEach((why, left) -> printQuestions(out, notAnswered + why, left));
  }

  private static void printQuestions(PrintWriter out, String head, List<String> questions) {
    out.println(head);
    Words.wrap(out, "to " + String.join(", to ", questions), INDENT, INDENT);
  }

  private void print(PrintWriter out, Terminal terminal, Heading heading, List<Finding> found) {
    String title = terminal.styled("bold", heading.title);
    if (found.isEmpty()) {
      out.println(title + (partly.contains(heading) ? ": ok, as far as it was asked" : ": ok"));
      return;
    }
    out.println(title);
    for (Finding finding : found) {
      Severity severity = finding.severity();
      String how =
          terminal.styled(STYLES.getOrDefault(severity, "bold"), String.format("%-7s", severity));
      String value = finding.value().isEmpty() ? "" : " = " + finding.value();
      out.println("  " + how + " " + finding.key() + value + " (" + finding.origin() + ")");
      Words.wrap(out, finding.consequence(), INDENT, INDENT);
      Words.wrap(out, finding.remedy(), INDENT + "--> ", INDENT + "    ");
    }
  }

  private void addTo(ObjectNode json, String verdict) {
    json.put("ready", exitCode() == ExitCodes.FINE)
        .put("verdict", verdict)
        .put("errors", count(Severity.ERROR))
        .put("unknown", count(Severity.UNKNOWN))
        .put("warnings", count(Severity.WARNING));
    ArrayNode all = json.putArray("findings");
    findings.forEach(
        (under, found) ->
            found.forEach(
                one ->
                    all.addObject()
                        .put("topic", under.word())
                        .put("severity", one.severity().name())
                        .put("key", one.key())
                        .put("value", one.value())
                        .put("origin", one.origin())
                        .put("consequence", one.consequence())
                        .put("remedy", one.remedy())));
    Map<String, List<String>> left = new TreeMap<>(leftOut);
    left.putAll(unanswered);
    json.putPOJO("unasked", left).putPOJO("unanswered", doubts());
  }
}
