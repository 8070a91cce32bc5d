// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.Reserve;
import io.temptier.tier.Sizes;
import io.temptier.tier.Tier;
import java.io.PrintWriter;

/** The doctor's report for people. */
final class DoctorText {
  private final PrintWriter out;
  private final Terminal terminal;

  DoctorText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void print(Diagnosis diagnosis) {
    out.println(diagnosis.confDir() + ": " + String.join(", ", diagnosis.files()));
    diagnosis.tiers().ifPresent(this::print);
    out.println();
    FindingText text = new FindingText(out, terminal);
    diagnosis.findings().forEach((topic, found) -> text.print(topic.title(), found));
    out.println();
    String style =
        !diagnosis.ready()
            ? "bold,red"
            : diagnosis.count(Severity.WARNING) > 0 ? "bold,yellow" : "bold,green";
    out.println(terminal.styled(style, diagnosis.verdict()));
  }

  private void print(NodeTiers tiers) {
    Table table = new Table("TIER", "DIR", ">CAP", ">RESERVE", "FROM");
    for (Tier tier : tiers.layout().tiers()) {
      for (LocalDir dir : tier.dirs()) {
        table.row(
            tier.medium().toString(),
            dir.path().toString(),
            dir.capped() ? Sizes.format(dir.capBytes()) : "-",
            reserve(tier.reserve()),
            dir.origin());
      }
    }
    table.lines("  ").forEach(out::println);
  }

  private static String reserve(Reserve reserve) {
    return reserve.bytes() > 0
        ? Sizes.format(reserve.bytes())
        : Sizes.formatPercent(reserve.fraction());
  }
}
