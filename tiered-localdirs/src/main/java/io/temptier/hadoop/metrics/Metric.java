// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import com.google.auto.value.AutoValue;
import org.apache.hadoop.util.StringUtils;

/** A number shown through Metrics2 and JMX, a constant of an enum, and what it counts. */
public interface Metric {
  @AutoValue
  abstract class Definition {
    abstract TierCounter.Scope scope();

    abstract TierCounter.Type type();

    abstract String doc();

    private static Definition of(TierCounter.Scope scope, TierCounter.Type type, String doc) {
      return new AutoValue_Metric_Definition(scope, type, doc);
    }

    /** Defines a counter of each tier, medium or gateway; it only grows. */
    public static Definition eachCounter(String doc) {
      return of(TierCounter.Scope.TIER, TierCounter.Type.COUNTER, doc);
    }

    public static Definition eachGauge(String doc) {
      return of(TierCounter.Scope.TIER, TierCounter.Type.GAUGE, doc);
    }

    /** Defines a counter of the node; it only grows. */
    public static Definition nodeCounter(String doc) {
      return of(TierCounter.Scope.NODE, TierCounter.Type.COUNTER, doc);
    }

    public static Definition nodeGauge(String doc) {
      return of(TierCounter.Scope.NODE, TierCounter.Type.GAUGE, doc);
    }
  }

  Definition definition();

  String name();

  /** Returns its name in JMX, Metrics2 and JSON: {@code FilesPlaced} of {@code FILES_PLACED}. */
  default String attribute() {
    return StringUtils.camelize(name());
  }

  default TierCounter.Scope scope() {
    return definition().scope();
  }

  default TierCounter.Type type() {
    return definition().type();
  }

  /** Returns its meaning in one or two sentences of Markdown. */
  default String doc() {
    return definition().doc();
  }
}
