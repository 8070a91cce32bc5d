// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the doctor found.
 *
 * @param bucket what was examined
 * @param files the site files it read
 * @param findings what there is to say, by heading, worst first; a heading without findings is fine
 * @param unasked what the store was not asked, by why; empty when it was asked everything
 */
record StoreDiagnosis(
    String bucket,
    List<String> files,
    SortedMap<Topic, List<Finding>> findings,
    SortedMap<String, List<String>> unasked) {
  StoreDiagnosis {
    files = List.copyOf(files);
    findings = new TreeMap<>(findings);
    unasked = new TreeMap<>(unasked);
  }

  /** How many findings are that bad. */
  long count(Severity severity) {
    return findings.values().stream()
        .flatMap(List::stream)
        .filter(finding -> finding.severity() == severity)
        .count();
  }

  /** Whether jobs can use it. */
  boolean ready() {
    return count(Severity.ERROR) == 0;
  }

  /** All in one sentence. */
  String verdict() {
    return (ready() ? "Ready: " : "Not ready: ")
        + counted(Severity.ERROR, "error")
        + ", "
        + counted(Severity.WARNING, "warning")
        + ", "
        + counted(Severity.INFO, "remark")
        + ".";
  }

  private String counted(Severity severity, String what) {
    long count = count(severity);
    return (count == 0 ? "no" : count) + " " + what + (count == 1 ? "" : "s");
  }
}
