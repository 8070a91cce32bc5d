// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

/**
 * On whose word a value is recommended.
 *
 * @param kind what kind of word it is
 * @param where where it can be read
 */
public record Source(Kind kind, String where) {
  /** What a recommendation can rest on. */
  public enum Kind {
    /** The paper whose tuning is reproduced here. */
    DOCUMENT("document"),
    /** What was measured on a real gateway. */
    MEASUREMENT("measurement"),
    /** Hadoop's own documentation or code. */
    HADOOP("Hadoop"),
    /** Spark's own documentation. */
    SPARK("Spark");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Its name for people. */
    public String title() {
      return title;
    }
  }

  /** The paper: "Unlock Big Data Analytics Efficiency with Compute and Storage Disaggregation". */
  static Source document(String where) {
    return new Source(Kind.DOCUMENT, where);
  }

  /** A measurement, by its heading in {@code docs/s3a.md}. */
  static Source measured(String heading) {
    return new Source(Kind.MEASUREMENT, "docs/s3a.md, " + heading);
  }

  /** A property's description in {@code core-default.xml}, or a class. */
  static Source hadoop(String where) {
    return new Source(Kind.HADOOP, where);
  }

  /** A page of Spark's documentation. */
  static Source spark(String where) {
    return new Source(Kind.SPARK, where);
  }

  @Override
  public String toString() {
    return kind.title() + " (" + where + ")";
  }
}
