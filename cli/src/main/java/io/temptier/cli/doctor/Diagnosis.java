// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.NodeTiers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the doctor found.
 *
 * @param confDir where it looked
 * @param files the site files it read
 * @param tiers what TempTier will place by, if it will
 * @param findings what there is to say, by heading, worst first; a heading without findings is fine
 */
record Diagnosis(
    Path confDir,
    List<String> files,
    Optional<NodeTiers> tiers,
    SortedMap<DoctorCheck.Topic, List<Finding>> findings) {
  Diagnosis {
    files = List.copyOf(files);
    findings = new TreeMap<>(findings);
  }

  /** How many findings are that bad. */
  long count(Severity severity) {
    return findings.values().stream()
        .flatMap(List::stream)
        .filter(finding -> finding.severity() == severity)
        .count();
  }

  /** Whether it can be rolled out: nothing is wrong, and nothing was left unasked. */
  boolean ready() {
    return count(Severity.ERROR) == 0 && count(Severity.UNKNOWN) == 0;
  }

  /** All in one sentence. */
  String verdict() {
    long errors = count(Severity.ERROR);
    long warnings = count(Severity.WARNING);
    if (errors > 0) {
      return "Not ready: " + counted(errors, "error") + ", " + counted(warnings, "warning") + ".";
    }
    long unknown = count(Severity.UNKNOWN);
    if (unknown > 0) {
      return "Not known to be ready: "
          + counted(unknown, "thing")
          + " could not be told here, "
          + counted(warnings, "warning")
          + ".";
    }
    if (tiers.isEmpty()) {
      return "TempTier is switched off in these files: stock behaviour.";
    }
    return warnings > 0
        ? "Ready, with " + counted(warnings, "warning") + ": " + tiers.get().layout() + "."
        : "Ready: " + tiers.get().layout() + ".";
  }

  private static String counted(long count, String what) {
    return Map.of(0L, "no " + what + "s", 1L, "1 " + what)
        .getOrDefault(count, count + " " + what + "s");
  }
}
