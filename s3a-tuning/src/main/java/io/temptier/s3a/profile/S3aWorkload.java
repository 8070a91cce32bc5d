// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Kind of use that jobs make of the store. */
public enum S3aWorkload {
  COLUMNAR("reads of ORC and Parquet: footers, then single columns"),
  SCAN("reads of whole files or splits: text, Avro, SequenceFile, distcp"),
  MIXED("jobs of all kinds with one setting"),
  SHUFFLE_FREE_WRITE("writes without a shuffle: ingest, TeraGen, distcp to the store"),
  DOCUMENT("what the paper sets, to compare with");

  private final String meaning;

  S3aWorkload(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  /** The workload of that name; where there is none it throws a text for operators. */
  public static S3aWorkload parse(String name) {
    for (S3aWorkload workload : values()) {
      if (workload.toString().equals(name.trim().toLowerCase(Locale.ROOT))) {
        return workload;
      }
    }
    List<String> names =
        Arrays.stream(values()).map(S3aWorkload::toString).collect(Immutable.toList());
    throw new IllegalArgumentException(
        "\""
            + name
            + "\" is no workload: expected "
            + String.join(", ", names)
            + NearestName.of(name, names).map(near -> ". Did you mean " + near + "?").orElse(""));
  }

  /** Returns its name on the command line, such as {@code shuffle-free-write}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
