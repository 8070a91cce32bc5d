// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Plural;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wrap;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a doctor found. Ready is only what was asked in full: a check without an answer makes it not
 * ready, as an error does, with an exit code of its own.
 */
public final class DoctorReport {

  /** Where an error says all, so many checks that were left out are named; JSON has all. */
  private static final int MOST_NAMED = 8;

  private static final String INDENT = Strings.repeat(" ", 10);
  private static final Map<Severity, String> STYLES =
      Immutable.mapOf(
          Severity.ERROR, "bold,red",
          Severity.UNKNOWN, "bold,yellow",
          Severity.WARNING, "yellow",
          Severity.INFO, "faint");

  private final Examination examination;
  private final Secrets secrets;
  private final List<String> head;
  private final Map<String, Object> about;
  private final String ready;

  DoctorReport(
      Examination examination,
      Secrets secrets,
      List<String> head,
      Map<String, Object> about,
      String ready) {
    this.examination = examination;
    this.secrets = secrets;
    this.head = head;
    this.about = about;
    this.ready = ready;
  }

  /** Prints the report, writes it as JSON if that is wanted, and gives the exit code. */
  public int publish(JsonFile json, Terminal terminal) {
    print(json.textOf(terminal), terminal);
    json.write(toJson(), terminal);
    return exitCode();
  }

  private int exitCode() {
    if (count(Severity.ERROR) + count(Severity.UNKNOWN) > 0) {
      return ExitCodes.FAILED;
    }
    return examination.unanswered.isEmpty() ? ExitCodes.FINE : ExitCodes.UNANSWERED;
  }

  private long count(Severity severity) {
    return examination.findings.values().stream()
        .flatMap(List::stream)
        .filter(finding -> finding.severity() == severity)
        .count();
  }

  private static List<String> questions(List<Check<?>> checks) {
    return checks.stream().map(check -> check.question()).collect(Immutable.toList());
  }

  /** The questions that leave a doubt. */
  private List<String> doubts() {
    return examination.unanswered.values().stream()
        .flatMap(checks -> questions(checks).stream())
        .collect(Immutable.toList());
  }

  private String verdict() {
    String warnings = counted(count(Severity.WARNING), "warning");
    boolean fine = exitCode() == ExitCodes.FINE;
    if (fine && !ready.isEmpty()) {
      String but = count(Severity.WARNING) > 0 ? ", with " + warnings : "";
      return "Ready" + but + ": " + ready + ".";
    }
    List<String> parts = new ArrayList<>();
    parts.add(counted(count(Severity.ERROR), "error"));
    if (count(Severity.UNKNOWN) > 0) {
      parts.add(counted(count(Severity.UNKNOWN), "thing") + " that cannot be told here");
    }
    if (!examination.unanswered.isEmpty()) {
      parts.add(counted(doubts().size(), "check") + " without an answer");
    }
    parts.add(warnings);
    parts.add(counted(count(Severity.INFO), "remark"));
    return (fine
            ? "Ready: "
            : count(Severity.ERROR) > 0 ? "Not ready: " : "Not known to be ready: ")
        + String.join(", ", parts)
        + ".";
  }

  private static String counted(long count, String what) {
    return count == 0 ? "no " + what + "s" : Plural.of(count, what);
  }

  /** The answer, then its reasons. */
  private void print(PrintWriter out, Terminal terminal) {
    String fine = count(Severity.WARNING) > 0 ? "bold,yellow" : "bold,green";
    String style = exitCode() == ExitCodes.FINE ? fine : "bold,red";
    out.println(terminal.styled(style, verdict()));
    head.forEach(out::println);
    out.println();
    examination.findings.forEach((heading, found) -> print(out, terminal, heading, found));
    examination.leftOut.forEach(
        (why, left) -> {
          boolean named = left.size() <= MOST_NAMED || count(Severity.ERROR) == 0;
          String checks = named ? "" : ": " + left.size() + " checks";
          out.println(
              terminal.styled("bold", "Not asked") + ", since " + secrets.without(why) + checks);
          printQuestions(out, named ? left : Immutable.listOf());
        });
    examination.unanswered.forEach(
        (why, left) -> {
          out.println(terminal.styled("bold", "Not answered") + ", since " + secrets.without(why));
          printQuestions(out, left);
        });
  }

  private static void printQuestions(PrintWriter out, List<Check<?>> checks) {
    if (!checks.isEmpty()) {
      String all =
          checks.stream().map(check -> "to " + check.question()).collect(Collectors.joining(", "));
      Wrap.print(out, all, INDENT, INDENT);
    }
  }

  private void print(PrintWriter out, Terminal terminal, Heading heading, List<Finding> found) {
    String title = terminal.styled("bold", heading.title());
    if (found.isEmpty()) {
      boolean whole =
          Stream.of(examination.leftOut, examination.unanswered)
              .flatMap(checks -> checks.values().stream())
              .flatMap(List::stream)
              .noneMatch(check -> check.heading() == heading);
      out.println(title + (whole ? ": ok" : ": ok, as far as it was asked"));
      return;
    }
    out.println(title);
    for (Finding each : found) {
      Finding finding = secrets.without(each);
      String severity = String.format("%-7s", finding.severity());
      String value = finding.value().isEmpty() ? "" : " = " + finding.value();
      out.println(
          String.format(
              "  %s %s%s (%s)",
              terminal.styled(STYLES.getOrDefault(finding.severity(), "bold"), severity),
              finding.key(),
              value,
              finding.origin()));
      Wrap.print(out, finding.consequence(), INDENT, INDENT);
      Wrap.print(out, finding.remedy(), INDENT + "--> ", INDENT + "    ");
    }
  }

  private static Map<String, Object> toJson(Heading under, Finding finding) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("topic", under.word());
    json.put("severity", finding.severity());
    json.put("key", finding.key());
    json.put("value", finding.value());
    json.put("origin", finding.origin());
    json.put("consequence", finding.consequence());
    json.put("remedy", finding.remedy());
    return json;
  }

  private Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>(about);
    json.put("ready", exitCode() == ExitCodes.FINE);
    json.put("verdict", verdict());
    json.put("errors", count(Severity.ERROR));
    json.put("unknown", count(Severity.UNKNOWN));
    json.put("warnings", count(Severity.WARNING));
    List<Map<String, Object>> all = new ArrayList<>();
    examination.findings.forEach(
        (under, found) -> found.forEach(one -> all.add(toJson(under, secrets.without(one)))));
    json.put("findings", all);
    Map<String, List<String>> left = new TreeMap<>();
    Stream.of(examination.leftOut, examination.unanswered)
        .forEach(
            each ->
                each.forEach(
                    (why, checks) ->
                        left.computeIfAbsent(secrets.without(why), any -> new ArrayList<>())
                            .addAll(questions(checks))));
    json.put("unasked", left);
    json.put("unanswered", doubts());
    return json;
  }
}
