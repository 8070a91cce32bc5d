// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What jobs do most with the store. */
public enum Workload {
  /** Readers of ORC and Parquet, which seek to the footer and to single columns. */
  COLUMNAR("reads of ORC and Parquet: footers, then single columns"),
  /** Readers of whole files or splits: text, Avro, SequenceFile, distcp. */
  SCAN("reads of whole files or splits: text, Avro, SequenceFile, distcp"),
  /** One setting for a cluster whose jobs are of all kinds. */
  MIXED("jobs of all kinds with one setting"),
  /** Jobs that write and read nothing back: TeraGen, ingest, distcp to the store. */
  SHUFFLE_FREE_WRITE("writes without a shuffle: ingest, TeraGen, distcp to the store"),
  /** What the paper sets, to compare with. */
  DOCUMENT("what the paper sets, to compare with");

  private final String meaning;

  Workload(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  /** Its name as written on the command line, such as {@code shuffle-free-write}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All labels, for messages. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Workload::label).collect(Immutable.toList());
  }

  /**
   * The workload of that label.
   *
   * @throws IllegalArgumentException with a text for operators when there is none
   */
  public static Workload parse(String label) {
    String wanted = label.trim().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(workload -> workload.label().equals(wanted))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknown(label)));
  }

  private static String unknown(String label) {
    Optional<String> near = NearestName.of(label, labels());
    return "\""
        + label
        + "\" is no workload: expected "
        + labels().stream().collect(Collectors.joining(", "))
        + near.map(name -> ". Did you mean " + name + "?").orElse("");
  }

  @Override
  public String toString() {
    return label();
  }
}
