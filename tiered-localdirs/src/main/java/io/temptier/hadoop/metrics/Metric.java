// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** A number shown through Metrics2 and JMX, a constant of an enum, and what it counts. */
public interface Metric {
  /** What Metrics2 and JMX are told of a number, beside its name. */
  @AutoValue
  abstract class Definition {
    abstract TierCounter.Scope scope();

    abstract TierCounter.Type type();

    abstract String doc();

    private static Definition of(TierCounter.Scope scope, TierCounter.Type type, String doc) {
      return new AutoValue_Metric_Definition(scope, type, doc);
    }

    /** Of each tier, medium or gateway; only grows. */
    public static Definition eachCounter(String doc) {
      return of(TierCounter.Scope.TIER, TierCounter.Type.COUNTER, doc);
    }

    /** Of each tier, medium or gateway; grows and shrinks. */
    public static Definition eachGauge(String doc) {
      return of(TierCounter.Scope.TIER, TierCounter.Type.GAUGE, doc);
    }

    /** Of the node; only grows. */
    public static Definition nodeCounter(String doc) {
      return of(TierCounter.Scope.NODE, TierCounter.Type.COUNTER, doc);
    }

    /** Of the node; grows and shrinks. */
    public static Definition nodeGauge(String doc) {
      return of(TierCounter.Scope.NODE, TierCounter.Type.GAUGE, doc);
    }
  }

  /** What it is. */
  Definition definition();

  /** The constant's. */
  String name();

  /** Its name in JMX, Metrics2 and JSON: {@code FilesPlaced} of {@code FILES_PLACED}. */
  default String attribute() {
    StringBuilder attribute = new StringBuilder();
    for (String word : name().split("_", -1)) {
      attribute.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return attribute.toString();
  }

  /** What it is of. */
  default TierCounter.Scope scope() {
    return definition().scope();
  }

  /** Whether it only grows. */
  default TierCounter.Type type() {
    return definition().type();
  }

  /** What it says, in one or two sentences of Markdown. */
  default String doc() {
    return definition().doc();
  }
}
