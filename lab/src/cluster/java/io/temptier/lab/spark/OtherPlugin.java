// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.spark;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/** A plugin of the user's own: each executor tells the driver of itself, which prints it. */
public final class OtherPlugin implements SparkPlugin {
  /** Begins the line that the driver prints. */
  public static final String EXECUTOR = "OTHER PLUGIN";

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override
      public @Nullable Object receive(Object message) {
        System.out.println(EXECUTOR + "\t" + message);
        return null;
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext context, Map<String, String> extra) {
        try {
          context.send(context.executorID());
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }
}
