// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a doctor found. Ready is only what was asked in full: a check without an answer makes it not
 * ready, as an error does, with an exit code of its own.
 */
@AutoValue
public abstract class DoctorReport {

  private static final int WIDTH = 70;

  /** Where an error says all, so many checks that were left out are named; JSON has all. */
  private static final int MOST_NAMED = 8;

  private static final String INDENT = Strings.repeat(" ", 10);
  private static final Map<Severity, String> STYLES =
      Immutable.mapOf(
          Severity.ERROR, "bold,red",
          Severity.UNKNOWN, "bold,yellow",
          Severity.WARNING, "yellow",
          Severity.INFO, "faint");

  /** The first lines for people. */
  public abstract List<String> head();

  /** The first members for programs. */
  public abstract Map<String, Object> about();

  /** What it is that is ready, for people; empty where there is nothing to add. */
  public abstract String ready();

  /** What there is to say, the worst first; a heading without findings is fine. */
  public abstract SortedMap<Heading, List<Finding>> findings();

  public abstract List<Unasked> unasked();

  public static DoctorReport of(
      List<String> head,
      Map<String, Object> about,
      String ready,
      SortedMap<Heading, List<Finding>> findings,
      List<Unasked> unasked) {
    return new AutoValue_DoctorReport(head, about, ready, findings, unasked);
  }

  /** A check that found nothing because it was not asked or not answered. */
  @AutoValue
  abstract static class Unasked {
    abstract Heading heading();

    abstract String question();

    /** In words that go after "since". */
    abstract String why();

    /**
     * Whether that leaves a doubt; not where the operator left it out, or where an error says all.
     */
    abstract boolean unanswered();

    static Unasked of(Heading heading, String question, String why, boolean unanswered) {
      return new AutoValue_DoctorReport_Unasked(heading, question, why, unanswered);
    }

    /** The same, for a reason in other words. */
    Unasked since(String other) {
      return Unasked.of(heading(), question(), other, unanswered());
    }
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
    return unanswered().isEmpty() ? ExitCodes.FINE : ExitCodes.UNANSWERED;
  }

  private long count(Severity severity) {
    return findings().values().stream()
        .flatMap(List::stream)
        .filter(finding -> finding.severity() == severity)
        .count();
  }

  private List<String> unanswered() {
    return unasked().stream()
        .filter(Unasked::unanswered)
        .map(Unasked::question)
        .collect(Immutable.toList());
  }

  private SortedMap<String, List<Unasked>> unaskedByReason() {
    return unasked().stream()
        .collect(Collectors.groupingBy(Unasked::why, TreeMap::new, Collectors.toList()));
  }

  private String verdict() {
    long warnings = count(Severity.WARNING);
    if (exitCode() == ExitCodes.FINE && !ready().isEmpty()) {
      String but = warnings > 0 ? ", with " + counted(warnings, "warning") : "";
      return "Ready" + but + ": " + ready() + ".";
    }
    String state =
        count(Severity.ERROR) > 0
            ? "Not ready: "
            : exitCode() == ExitCodes.FINE ? "Ready: " : "Not known to be ready: ";
    long unknown = count(Severity.UNKNOWN);
    return state
        + counted(count(Severity.ERROR), "error")
        + (unknown > 0 ? ", " + counted(unknown, "thing") + " that cannot be told here" : "")
        + (unanswered().isEmpty()
            ? ""
            : ", " + counted(unanswered().size(), "check") + " without an answer")
        + ", "
        + counted(warnings, "warning")
        + ", "
        + counted(count(Severity.INFO), "remark")
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
    head().forEach(out::println);
    out.println();
    findings().forEach((heading, found) -> print(out, terminal, heading, found));
    unaskedByReason()
        .forEach(
            (why, left) -> {
              String how = left.get(0).unanswered() ? "Not answered" : "Not asked";
              boolean named =
                  left.size() <= MOST_NAMED
                      || left.get(0).unanswered()
                      || count(Severity.ERROR) == 0;
              String checks = named ? "" : ": " + left.size() + " checks";
              out.println(terminal.styled("bold", how) + ", since " + why + checks);
              if (!named) {
                return;
              }
              String questions =
                  left.stream()
                      .map(each -> "to " + each.question())
                      .collect(Collectors.joining(", "));
              Wrap.lines(questions, WIDTH).forEach(line -> out.println(INDENT + line));
            });
  }

  private void print(PrintWriter out, Terminal terminal, Heading heading, List<Finding> found) {
    String title = terminal.styled("bold", heading.title());
    if (found.isEmpty()) {
      boolean whole = unasked().stream().noneMatch(each -> each.heading() == heading);
      out.println(title + (whole ? ": ok" : ": ok, as far as it was asked"));
      return;
    }
    out.println(title);
    for (Finding finding : found) {
      String severity = String.format("%-7s", finding.severity());
      String value = finding.value().isEmpty() ? "" : " = " + finding.value();
      out.println(
          String.format(
              "  %s %s%s (%s)",
              terminal.styled(STYLES.getOrDefault(finding.severity(), "bold"), severity),
              finding.key(),
              value,
              finding.origin()));
      Wrap.lines(finding.consequence(), WIDTH).forEach(line -> out.println(INDENT + line));
      List<String> remedy = Wrap.lines(finding.remedy(), WIDTH - 4);
      for (int i = 0; i < remedy.size(); i++) {
        out.println(INDENT + (i == 0 ? "--> " : "    ") + remedy.get(i));
      }
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
    Map<String, Object> json = new LinkedHashMap<>(about());
    json.put("ready", exitCode() == ExitCodes.FINE);
    json.put("verdict", verdict());
    json.put("errors", count(Severity.ERROR));
    json.put("unknown", count(Severity.UNKNOWN));
    json.put("warnings", count(Severity.WARNING));
    List<Map<String, Object>> all = new ArrayList<>();
    findings().forEach((under, found) -> found.forEach(one -> all.add(toJson(under, one))));
    json.put("findings", all);
    Map<String, List<String>> left = new LinkedHashMap<>();
    unaskedByReason()
        .forEach(
            (why, each) ->
                left.put(why, each.stream().map(Unasked::question).collect(Immutable.toList())));
    json.put("unasked", left);
    json.put("unanswered", unanswered());
    return json;
  }
}
