// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.fixtures.CpuTime;
import io.temptier.fixtures.Need;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.MountPins;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.room.DirectoryUsage;
import io.temptier.tier.room.PublishedDevices;
import io.temptier.tier.room.PublishedState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the first file costs a task's JVM, beside stock's, with one NVMe and eleven HDD dirs (for
 * root each of these a tmpfs). Pairs of JVMs in turn; says medians and asserts none of it: a
 * measurement, by request; the property is how many pairs.
 */
@EnabledIfSystemProperty(named = "temptier.test.first-file", matches = "[1-9]\\d*")
class FirstFileCostTest {
  private static final int DIRS = 12;

  private static final String KEY = "mapreduce.cluster.local.dir";

  /** One that TempTier leaves to stock. */
  private static final String STOCK_KEY = "test.stock.local.dirs";

  private final List<Path> mounts = new ArrayList<>();
  private final List<LocalDir> dirs = new ArrayList<>();

  @Test
  void besideStock(@TempDir Path temp) throws Exception {
    try {
      String listed = publish(temp);
      List<long[]> tempTier = new ArrayList<>();
      List<long[]> stock = new ArrayList<>();
      for (int pair = 0; pair < Integer.getInteger("temptier.test.first-file"); pair++) {
        publishState();
        tempTier.add(run(KEY, listed));
        stock.add(run(STOCK_KEY, listed));
      }
      String[] what = {"wall us", "CPU us", "threads, most"};
      for (int i = 0; i < what.length; i++) {
        long one = median(tempTier, i);
        long other = median(stock, i);
        System.out.printf(
            Locale.ROOT,
            "%-14s TempTier %6d, stock %6d, %.2f, %d more%n",
            what[i],
            one,
            other,
            (double) one / other,
            one - other);
      }
    } finally {
      for (Path mount : mounts) {
        Programs.run("umount", mount.toString());
      }
    }
  }

  /** Sets the dirs up as a NodeManager does; returns those of an application. */
  private String publish(Path temp) throws Exception {
    List<String> ofApplication = new ArrayList<>();
    for (int number = 0; number < DIRS; number++) {
      Path root = Files.createDirectories(temp.resolve("disk" + number));
      if (number > 0 && Need.ROOT.missing().isEmpty()) {
        Programs.run("mount", "-t", "tmpfs", "-o", "size=1g", "test", root.toString());
        mounts.add(root);
      }
      Medium medium = number == 0 ? Medium.NVME : Medium.DISK;
      dirs.add(Layouts.dir(Layouts.root(root), medium));
      Path folder = root.resolve("usercache/ann/appcache/application_1_0001");
      ofApplication.add(Files.createDirectories(folder).toString());
    }
    NodeTiers tiers =
        MountPins.pin(
            Layouts.tiers(
                Reserve.ofBytes(1 << 20), TierSettings.DEFAULT, dirs.toArray(LocalDir[]::new)));
    for (LocalDir dir : dirs) {
      NodeMarker.write(dir.path(), tiers);
    }
    return String.join(",", ofApplication);
  }

  /** What a NodeManager says again and again, and is believed for seconds only. */
  private void publishState() throws IOException {
    long now = System.currentTimeMillis();
    Map<String, PublishedDevices.Device> devices = new TreeMap<>();
    for (LocalDir dir : dirs) {
      devices.put(dir.path().toString(), PublishedDevices.Device.IDLE);
      PublishedState.of(now, DirectoryUsage.Usage.UNKNOWN, 1_000_000, 900_000)
          .write(dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
    }
    PublishedDevices.of(now, devices)
        .write(dirs.get(0).path().resolve(NodeMarker.DIR).resolve(NodeMarker.DEVICES));
  }

  private static long[] run(String key, String dirs) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx200m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FirstFileCostTest.class.getName(), key, dirs));
    String said = Programs.said(command);
    String[] words = said.substring(said.lastIndexOf("COST ")).trim().split(" ", -1);
    return new long[] {
      Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])
    };
  }

  private static long median(List<long[]> rounds, int index) {
    return rounds.stream().mapToLong(round -> round[index]).sorted().toArray()[rounds.size() / 2];
  }

  /** The task: a key, and the dirs that it lists. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.set(args[0], args[1]);
    FileSystem.getLocal(conf);
    LocalDirAllocator dirs = new LocalDirAllocator(args[0]);
    long cpuBefore = CpuTime.nanos("self", true);
    long began = System.nanoTime();
    dirs.getLocalPathForWrite("output/attempt_1_0001_m_000000_0/spill0.out", 1 << 20, conf);
    long wall = System.nanoTime() - began;
    long cpu = CpuTime.nanos("self", true) - cpuBefore;
    int threads = 0;
    for (int look = 0; look < 12; look++) {
      threads = Math.max(threads, new File("/proc/self/task").list().length);
      Thread.sleep(100);
    }
    System.out.println("COST " + wall / 1000 + " " + cpu / 1000 + " " + threads);
  }
}
