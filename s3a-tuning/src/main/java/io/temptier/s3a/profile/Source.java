// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;

/** On whose word a value is recommended. */
@AutoValue
public abstract class Source {
  public abstract Kind kind();

  public abstract String where();

  public static Source of(Kind kind, String where) {
    return new AutoValue_Source(kind, where);
  }

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

    public String title() {
      return title;
    }
  }

  /** As the table of settings has it: a letter of the kind, a blank, and where. */
  static Source read(String text) {
    String where = text.substring(2);
    switch (text.charAt(0)) {
      case 'd':
        return Source.of(Kind.DOCUMENT, where);
      case 'm':
        return measured(where);
      case 'h':
        return hadoop(where);
      default:
        throw new IllegalStateException("no source: " + text);
    }
  }

  /** A measurement, by its heading in {@code docs/s3a.md}. */
  static Source measured(String heading) {
    return Source.of(Kind.MEASUREMENT, "docs/s3a.md, " + heading);
  }

  /** A property's description in {@code core-default.xml}, or a class. */
  static Source hadoop(String where) {
    return Source.of(Kind.HADOOP, where);
  }

  /** A page of Spark's documentation. */
  static Source spark(String where) {
    return Source.of(Kind.SPARK, where);
  }

  @Override
  public final String toString() {
    return kind().title() + " (" + where() + ")";
  }
}
