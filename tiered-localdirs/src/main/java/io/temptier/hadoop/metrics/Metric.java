// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import com.google.auto.value.AutoValue;

/** A number shown through Metrics2 and JMX: its name, what it counts, in what unit. */
public interface Metric {
  /** What Metrics2 and JMX are told of a number. */
  @AutoValue
  abstract class Definition {
    /** What it is of. */
    public abstract TierCounter.Scope scope();

    /** Whether it only grows. */
    public abstract TierCounter.Type type();

    /** What is counted. */
    public abstract TierCounter.Unit unit();

    /** Its name in JMX, Metrics2 and JSON. */
    public abstract String attribute();

    public static Definition of(
        TierCounter.Scope scope, TierCounter.Type type, TierCounter.Unit unit, String attribute) {
      return new AutoValue_Metric_Definition(scope, type, unit, attribute);
    }

    /** Of each tier, medium or gateway; only grows. */
    public static Definition eachCounter(TierCounter.Unit unit, String attribute) {
      return Definition.of(TierCounter.Scope.TIER, TierCounter.Type.COUNTER, unit, attribute);
    }

    /** Of each tier, medium or gateway; grows and shrinks. */
    public static Definition eachGauge(TierCounter.Unit unit, String attribute) {
      return Definition.of(TierCounter.Scope.TIER, TierCounter.Type.GAUGE, unit, attribute);
    }

    /** Of the node; only grows. */
    public static Definition nodeCounter(TierCounter.Unit unit, String attribute) {
      return Definition.of(TierCounter.Scope.NODE, TierCounter.Type.COUNTER, unit, attribute);
    }

    /** Of the node; grows and shrinks. */
    public static Definition nodeGauge(TierCounter.Unit unit, String attribute) {
      return Definition.of(TierCounter.Scope.NODE, TierCounter.Type.GAUGE, unit, attribute);
    }
  }

  /** What it is. */
  Definition definition();

  /** What it says, in one or two sentences of Markdown. */
  String doc();

  /** What it is of. */
  default TierCounter.Scope scope() {
    return definition().scope();
  }

  /** Whether it only grows. */
  default TierCounter.Type type() {
    return definition().type();
  }

  /** What is counted. */
  default TierCounter.Unit unit() {
    return definition().unit();
  }

  /** Its name in JMX, Metrics2 and JSON. */
  default String attribute() {
    return definition().attribute();
  }
}
