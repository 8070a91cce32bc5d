// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsBtrfs;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import io.temptier.testing.SharedNode;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's limit on the fast disk, which other users share. It is one of btrfs, which more kernels
 * have than the quotas of ext4 and xfs; who writes is told {@code EDQUOT} by all of them.
 */
@NeedsBtrfs
@Timeout(600)
class QuotaTest {
  private static final long DISK_BYTES = 256L << 20;
  private static final String LIMIT = "4M";

  /**
   * A task's attempt: places one file in a container's dirs and writes it. Prints what came of it.
   */
  public static final class AttemptProcess {
    private static final String KEY = "mapreduce.cluster.local.dir";

    public static void main(String[] args) throws Exception {
      Configuration conf = new Configuration(false);
      conf.set(KEY, args[0]);
      FileSystem.getLocal(conf);
      long bytes = Long.parseLong(args[2]);
      LocalDirAllocator dirs = new LocalDirAllocator(KEY);
      Path file = Path.of(dirs.getLocalPathForWrite(args[1], bytes, conf).toUri().getPath());
      byte[] block = new byte[1 << 20];
      try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
        for (long left = bytes; left > 0; left -= block.length) {
          ThreadLocalRandom.current().nextBytes(block);
          out.write(block);
        }
        out.getFD().sync();
        System.out.println("WROTE " + file);
      } catch (IOException e) {
        System.out.println("FAILED " + file + " " + e.getMessage());
      }
    }
  }

  @TempDir Path temp;
  @AutoClose private LoopDisk disk;
  @AutoClose private SharedNode node;

  @BeforeEach
  void makeNode() throws IOException {
    disk = LoopDisk.createBtrfs(temp, "disk", DISK_BYTES);
    Path fast = disk.path().resolve("yarn");
    node =
        new SharedNode(temp, fast, temp.resolve("slow"), Reserve.ofBytes(1), TierSettings.DEFAULT);
  }

  /** Ann may have so much. */
  private Path limit() throws Exception {
    Path hers = node.fast.resolve("usercache").resolve(node.ann);
    Programs.run("rm", "-r", hers.toString());
    Programs.run("btrfs", "quota", "enable", disk.path().toString());
    Programs.run("btrfs", "subvolume", "create", hers.toString());
    Programs.run("btrfs", "qgroup", "limit", LIMIT, hers.toString());
    Files.createDirectories(node.appDir(node.fast, node.ann));
    Accounts.open(Accounts.give(hers, node.ann), node.nodeUser);
    Programs.run("sync", "-f", disk.path().toString());
    return hers;
  }

  /** She has all of it. */
  private void useUpQuota() throws Exception {
    Path hers = limit();
    String fill = "head -c 64M /dev/zero > " + hers.resolve("mine");
    Texts.thrown(
        IOException.class,
        () -> Programs.run(Accounts.as(node.ann, List.of("sh", "-c", fill))),
        "quota exceeded");
  }

  private String task(String user) throws Exception {
    return Programs.run(node.java(user, SeamProcess.in(node.appDirs(user))));
  }

  /** Each attempt in a process of its own: the disk says that it has room. */
  @Test
  void whoHasTooLittleQuotaLeftFailsOnceAtMost() throws Exception {
    limit();
    Texts.has(attempt(0), "FAILED " + node.appDir(node.fast, node.ann), "quota exceeded");
    Texts.has(attempt(1), "WROTE " + node.appDir(node.slow, node.ann));
  }

  private String attempt(int number) throws Exception {
    List<String> line =
        List.of(
            AttemptProcess.class.getName(),
            node.appDirs(node.ann),
            "attempt_1_0001_m_000000_" + number + "_spill_0.out",
            Long.toString(10L << 20));
    return Programs.run(node.java(node.ann, line));
  }

  @Test
  void whoHasNoQuotaLeftGetsASlowerDiskAndOthersKeepTheFastOne() throws Exception {
    Texts.has(task(node.ann), "PLACED " + node.appDir(node.fast, node.ann));
    useUpQuota();
    Texts.has(
        task(node.ann), "PLACED " + node.appDir(node.slow, node.ann), "COUNTED temptier-disk 1 ");
    Texts.has(task(node.bob), "PLACED " + node.appDir(node.fast, node.bob));
  }
}
