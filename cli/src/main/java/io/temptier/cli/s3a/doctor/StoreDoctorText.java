// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.Terminal;
import io.temptier.cli.Wrap;
import io.temptier.cli.doctor.FindingText;
import io.temptier.tier.Finding.Severity;
import java.io.PrintWriter;

/** The report for people. */
final class StoreDoctorText {
  private static final int WIDTH = 88;

  private final PrintWriter out;
  private final Terminal terminal;

  StoreDoctorText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void print(StoreDiagnosis diagnosis) {
    out.println("s3a://" + diagnosis.bucket() + "/ as in " + String.join(", ", diagnosis.files()));
    out.println();
    FindingText text = new FindingText(out, terminal);
    diagnosis.findings().forEach((topic, found) -> text.print(topic.title(), found));
    diagnosis
        .unasked()
        .forEach(
            (why, questions) -> {
              out.println(terminal.styled("bold", "Not asked") + ", since " + why);
              String all = "to " + String.join(", to ", questions);
              Wrap.lines(all, WIDTH).forEach(line -> out.println(" ".repeat(10) + line));
            });
    out.println();
    String style =
        !diagnosis.ready()
            ? "bold,red"
            : diagnosis.count(Severity.WARNING) > 0 ? "bold,yellow" : "bold,green";
    out.println(terminal.styled(style, diagnosis.verdict()));
  }
}
