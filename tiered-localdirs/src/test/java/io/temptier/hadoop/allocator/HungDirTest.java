// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.room.PublishedDevices;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process whose first file comes while one of two real disks hangs, as the NodeManager said. */
@NeedsBindfs
class HungDirTest {
  private static final String APP_DIR = "usercache/ann/appcache/application_1_0001";
  private static final String MAPREDUCE = "mapreduce.cluster.local.dir";

  /** Not the one of a NodeManager, which other tests of this JVM start. */
  private static final String NODE = "test.good-local-dirs";

  /**
   * A container's JVM whose first file comes when a disk hangs already: it looks for its work dir
   * as MapReduce's tasks do, writes a file, finds it again, and buffers a block as S3A does. Prints
   * where each is.
   */
  public static final class FirstFileProcess {
    public static void main(String[] args) throws Exception {
      Configuration conf = new Configuration(false);
      conf.set(args[0], args[1]);
      FileSystem.getLocal(conf);
      LocalDirAllocator dirs = new LocalDirAllocator(args[0]);
      try {
        System.out.println("WORK THERE " + dirs.getLocalPathToRead("work", conf));
      } catch (DiskErrorException e) {
        System.out.println("WORK " + dirs.getLocalPathForWrite("work", conf));
      }
      String name = "output/attempt_1_0001_m_000000_0/file.out";
      Path file = Path.of(dirs.getLocalPathForWrite(name, 1 << 20, conf).toUri().getPath());
      Files.write(file, new byte[1 << 20]);
      System.out.println("FILE " + file);
      System.out.println("FOUND " + dirs.getLocalPathToRead(name, conf));
      System.out.println("EXISTS " + dirs.ifExists(name, conf));
      File block = dirs.createTmpFileForWrite("s3ablock-0001-", 1 << 20, conf);
      System.out.println("BLOCK " + block);
      // Larger than any dir: what Hadoop's own part says is the answer.
      try {
        System.out.println("HUGE " + dirs.getLocalPathForWrite("huge", Long.MAX_VALUE / 4, conf));
      } catch (DiskErrorException e) {
        System.out.println("REFUSED " + e.getMessage());
      }
    }
  }

  @TempDir Path temp;
  @AutoClose private HangingDisk disk;
  private Path other;

  @BeforeEach
  void makeDisk() throws IOException {
    disk = HangingDisk.create(temp, "hung");
    other = Files.createDirectories(temp.resolve("other"));
  }

  @AfterEach
  void close() {
    TieredLocalDirs.closeAll();
  }

  /** Sets the node up and has one disk hang. */
  private NodeTiers hang(boolean fastest) throws IOException {
    NodeTiers tiers =
        fastest
            ? Layouts.publish(disk.path(), other, Reserve.ofBytes(1), TierSettings.DEFAULT)
            : Layouts.publish(other, disk.path(), Reserve.ofBytes(1), TierSettings.DEFAULT);
    for (Path root : List.of(disk.path(), other)) {
      Files.createDirectories(root.resolve(APP_DIR));
    }
    disk.hang();
    return tiers;
  }

  /** As the NodeManager does again and again: it is believed for seconds only. */
  private void publish(DirHealth health) throws IOException {
    PublishedDevices.of(
            System.currentTimeMillis(),
            Map.of(disk.path().toString(), PublishedDevices.Device.of(health, 0)))
        .write(other.resolve(NodeMarker.DIR).resolve(NodeMarker.DEVICES));
  }

  private String dirs(boolean hungFirst) {
    Path hung = disk.path().resolve(APP_DIR);
    Path sound = other.resolve(APP_DIR);
    return hungFirst ? hung + "," + sound : sound + "," + hung;
  }

  @ParameterizedTest
  @CsvSource({
    MAPREDUCE + ", true, true",
    MAPREDUCE + ", true, false",
    MAPREDUCE + ", false, true",
    "tez.runtime.framework.local.dirs, false, false",
    "fs.s3a.buffer.dir, false, true",
  })
  void holdsNoNewProcess(String key, boolean fastest, boolean listedFirst) throws Exception {
    hang(fastest);
    String printed = run(key, dirs(listedFirst));
    String in = other.resolve(APP_DIR) + "/";
    String file = in + "output/attempt_1_0001_m_000000_0/file.out";
    Texts.has(
        printed,
        "WORK " + in + "work",
        "FILE " + file,
        "FOUND " + file,
        "EXISTS true",
        "BLOCK " + in + "s3ablock-0001-",
        "REFUSED Could not find any valid local directory");
  }

  /** Without the NodeManager's word as well: each dir is waited for, but not for long. */
  @Test
  void theSlowestHoldsNoNewProcessThoughNobodyKnowsThatItHangs() throws IOException {
    hang(false);
    publish(DirHealth.SOUND);
    String name = "output/attempt_1_0001_m_000000_0/file.out";
    TieredLocalDirAllocator dirs = new TieredLocalDirAllocator(MAPREDUCE);
    Configuration conf = new Configuration(false);
    conf.set(MAPREDUCE, dirs(true));
    assertEquals(other.resolve(APP_DIR).resolve(name).toString(), place(dirs, name, conf));
  }

  /** When a dir of the NodeManager fails it gets a list that it has not seen. */
  @Test
  void holdsNoNewListOfTheNodeManager() throws IOException {
    NodeTiers tiers = hang(true);
    publish(DirHealth.HUNG);
    TieredLocalDirAllocator dirs = new TieredLocalDirAllocator(NODE, tiers);
    Configuration conf = new Configuration(false);
    conf.set(NODE, disk.path() + "," + other);
    String name = "nmPrivate/application_1_0001/container_1/launch.sh";
    assertEquals(other.resolve(name).toString(), place(dirs, name, conf));
  }

  private static String place(TieredLocalDirAllocator dirs, String name, Configuration conf) {
    return assertTimeoutPreemptively(
        Duration.ofMinutes(5), () -> dirs.getLocalPathForWrite(name, 1, conf).toUri().getPath());
  }

  private String run(String key, String dirs) throws Exception {
    Path said = temp.resolve("said");
    Process process =
        new ProcessBuilder(Programs.java(FirstFileProcess.class, key, dirs))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      for (int seconds = 0; seconds < 300 && process.isAlive(); seconds++) {
        publish(DirHealth.HUNG);
        process.waitFor(1, TimeUnit.SECONDS);
      }
      String printed = Files.readString(said, StandardCharsets.UTF_8);
      assertTrue(!process.isAlive() && process.exitValue() == 0, "it hangs or failed: " + printed);
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }
}
