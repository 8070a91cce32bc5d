// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.Terminal;
import io.temptier.cli.Wrap;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Findings for people. */
public final class FindingText {
  private static final int WIDTH = 88;
  private static final Map<Severity, String> STYLES =
      Map.of(
          Severity.ERROR,
          "bold,red",
          Severity.UNKNOWN,
          "bold,yellow",
          Severity.WARNING,
          "yellow",
          Severity.INFO,
          "faint");

  private final PrintWriter out;
  private final Terminal terminal;

  /** Prints to {@code out}, with the colours of {@code terminal}. */
  public FindingText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Prints what is under a heading, or that all is well there. */
  public void print(String heading, List<Finding> findings) {
    String title = terminal.styled("bold", heading);
    if (findings.isEmpty()) {
      out.println(title + ": ok");
      return;
    }
    out.println(title);
    for (Finding finding : findings) {
      print(finding);
    }
  }

  private void print(Finding finding) {
    String severity = String.format("%-7s", finding.severity());
    out.println(
        "  "
            + terminal.styled(STYLES.getOrDefault(finding.severity(), "bold"), severity)
            + " "
            + finding.key()
            + (finding.value().isEmpty() ? "" : " = " + finding.value())
            + " ("
            + finding.origin()
            + ")");
    Wrap.lines(finding.consequence(), WIDTH).forEach(line -> out.println(" ".repeat(10) + line));
    List<String> remedy = Wrap.lines(finding.remedy(), WIDTH - 4);
    for (int i = 0; i < remedy.size(); i++) {
      out.println(" ".repeat(10) + (i == 0 ? "--> " : "    ") + remedy.get(i));
    }
  }
}
