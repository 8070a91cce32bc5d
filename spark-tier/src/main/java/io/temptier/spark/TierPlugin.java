// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.util.Collections;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plugin that {@code spark.plugins} names: it brings TempTier into the executors of an application,
 * and into its driver where {@value #DRIVER_KEY} is true.
 *
 * <p>Nothing gets out of it: whatever goes wrong, a class that is missing included, Spark places
 * its files itself.
 */
public final class TierPlugin implements SparkPlugin {
  static final String DRIVER_KEY = "spark.temptier.driver";

  private static final Logger LOG = LoggerFactory.getLogger(TierPlugin.class);

  @Override
  public DriverPlugin driverPlugin() {
    return new Side();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Side();
  }

  private static @Nullable AutoCloseable start(PluginContext context, boolean inDriver) {
    try {
      return inDriver && !SparkTiering.inDriver(context.conf())
          ? null
          : SparkTiering.start(context);
    } catch (Throwable e) {
      LOG.warn(
          "TempTier is not in this JVM, Spark places its files itself: {}. TempTier needs Java 8"
              + " and its jars temptier-spark-tier and temptier-tiered-localdirs in one version;"
              + " this is Java {}.",
          e.toString(),
          System.getProperty("java.specification.version"));
      return null;
    }
  }

  /** Side of the plugin: one in the driver, one in each executor. */
  private static final class Side implements DriverPlugin, ExecutorPlugin {
    private @Nullable AutoCloseable tiering;

    @Override
    public Map<String, String> init(SparkContext spark, PluginContext context) {
      tiering = start(context, true);
      return Collections.emptyMap();
    }

    @Override
    public void init(PluginContext context, Map<String, String> fromDriver) {
      tiering = start(context, false);
    }

    @Override
    public void shutdown() {
      try {
        if (tiering != null) {
          tiering.close();
        }
      } catch (Throwable e) {
        LOG.warn("TempTier did not end as it should: {}", e.toString());
      }
    }
  }
}
