// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import com.google.auto.value.AutoValue;
import org.apache.hadoop.util.StringUtils;

/** A number shown through Metrics2 and JMX, a constant of an enum, and what it counts. */
public interface Metric {
  @AutoValue
  abstract class Definition {
    public abstract TierCounter.Scope scope();

    public abstract TierCounter.Type type();

    /** Returns its meaning in one or two sentences of Markdown. */
    public abstract String doc();

    /** Defines a counter of each tier, medium or gateway; it only grows. */
    public static Definition eachCounter(String doc) {
      return new AutoValue_Metric_Definition(TierCounter.Scope.TIER, TierCounter.Type.COUNTER, doc);
    }

    public static Definition eachGauge(String doc) {
      return new AutoValue_Metric_Definition(TierCounter.Scope.TIER, TierCounter.Type.GAUGE, doc);
    }

    /** Defines a counter of the node; it only grows. */
    public static Definition nodeCounter(String doc) {
      return new AutoValue_Metric_Definition(TierCounter.Scope.NODE, TierCounter.Type.COUNTER, doc);
    }

    public static Definition nodeGauge(String doc) {
      return new AutoValue_Metric_Definition(TierCounter.Scope.NODE, TierCounter.Type.GAUGE, doc);
    }
  }

  Definition definition();

  String name();

  /** Returns its name in JMX, Metrics2 and JSON: {@code FilesPlaced} of {@code FILES_PLACED}. */
  default String attribute() {
    return StringUtils.camelize(name());
  }
}
