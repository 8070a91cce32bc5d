// SPDX-License-Identifier: Apache-2.0
package example;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;

/** A NodeManager with TempTier, and what a task on it does: ask Hadoop's allocator for a path. */
public final class PlacesAFile {
  private static final String KEY = "mapreduce.cluster.local.dir";
  private static final String APPLICATION = "usercache/ann/appcache/application_1_0001";

  private PlacesAFile() {}

  public static void main(String[] args) throws Exception {
    Path node = Path.of(args[0]).toAbsolutePath();
    Path fast = Files.createDirectories(node.resolve("nvme"));
    Path slow = Files.createDirectories(node.resolve("hdd"));
    Configuration conf = new YarnConfiguration();
    conf.set("yarn.nodemanager.local-dirs", slow + "," + fast);
    conf.set("yarn.nodemanager.log-dirs", node.resolve("logs").toString());
    conf.set("temptier.local-dirs", "[NVME]" + fast + ",[DISK]" + slow);
    // Both lie on this disk, however full it is.
    conf.set("temptier.reserve", "1m");
    conf.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    conf.set(
        "yarn.nodemanager.container-state-transition-listener.classes",
        "io.temptier.hadoop.NodeManagerTiering");
    NodeManager manager = new NodeManager();
    try {
      manager.init(conf);
      Configuration task = new Configuration();
      task.set(KEY, slow.resolve(APPLICATION) + "," + fast.resolve(APPLICATION));
      LocalDirAllocator allocator = new LocalDirAllocator(KEY);
      FileSystem local = FileSystem.getLocal(task);
      for (int i = 0; i < 4; i++) {
        org.apache.hadoop.fs.Path file =
            allocator.getLocalPathForWrite("output/attempt_" + i + "/file.out", 1 << 20, task);
        local.create(file).close();
        System.out.println("PLACED " + node.relativize(Path.of(file.toUri().getPath())));
        if (!file.toUri().getPath().startsWith(fast + "/")) {
          throw new AssertionError(file + " is not below " + fast);
        }
      }
    } finally {
      manager.stop();
    }
    System.exit(0);
  }
}
