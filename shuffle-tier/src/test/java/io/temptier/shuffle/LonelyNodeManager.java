// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.util.stream.Collectors.joining;

import io.temptier.hadoop.NodeManagerTiering;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdaterImpl;
import org.apache.hadoop.yarn.server.nodemanager.health.NodeHealthCheckerService;

/** Hadoop's own NodeManager, but for its talk to the ResourceManager. */
final class LonelyNodeManager extends NodeManager {
  @Override
  protected NodeStatusUpdater createNodeStatusUpdater(
      Context context, Dispatcher dispatcher, NodeHealthCheckerService healthChecker) {
    return new NodeStatusUpdaterImpl(context, dispatcher, healthChecker, metrics) {
      @Override
      protected void serviceStart() {}
    };
  }

  /** One with both of TempTier's plug-ins; the first of the dirs is faster than the others. */
  static YarnConfiguration conf(Path logs, List<Path> dirs) {
    YarnConfiguration conf = new YarnConfiguration();
    String tagged = "[NVME]" + dirs.stream().map(Path::toString).collect(joining(",[DISK]"));
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS, dirs.stream().map(Path::toString).collect(joining(",")));
    conf.set("temptier.local-dirs", tagged);
    conf.set("temptier.reserve", "1m");
    conf.set(YarnConfiguration.NM_LOG_DIRS, logs.toString());
    conf.set(YarnConfiguration.NM_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS, "127.0.0.1:0");
    conf.set(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, "100");
    conf.set("mapreduce.shuffle.port", "0");
    conf.set(YarnConfiguration.NM_AUX_SERVICES, "mapreduce_shuffle");
    conf.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        TieredShuffleHandler.class.getName());
    conf.set(
        YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
        NodeManagerTiering.class.getName());
    return conf;
  }
}
