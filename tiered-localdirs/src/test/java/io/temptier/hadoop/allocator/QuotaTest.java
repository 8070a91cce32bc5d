// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsBtrfs;
import io.temptier.fixtures.Programs;
import io.temptier.testing.SharedNode;
import io.temptier.tier.Reserve;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
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

  @TempDir Path temp;
  private LoopDisk disk;
  private SharedNode node;

  @BeforeEach
  void makeNode() throws IOException {
    disk = LoopDisk.createBtrfs(temp, "disk", DISK_BYTES);
    Path fast = disk.path().resolve("yarn");
    node =
        new SharedNode(temp, fast, temp.resolve("slow"), Reserve.ofBytes(1), TierSettings.DEFAULT);
  }

  @AfterEach
  void removeNode() throws IOException {
    if (node != null) {
      node.close();
    }
    if (disk != null) {
      disk.close();
    }
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
    IOException full =
        assertThrows(
            IOException.class,
            () -> Programs.run(Accounts.as(node.ann, List.of("sh", "-c", fill))));
    assertTrue(String.valueOf(full.getMessage()).contains("quota exceeded"), full.toString());
  }

  private String task(String user) throws Exception {
    return Programs.run(node.java(user, SeamProcess.in(node.appDirs(user))));
  }

  /** Each attempt in a process of its own: the disk says that it has room. */
  @Test
  void whoHasTooLittleQuotaLeftFailsOnceAtMost() throws Exception {
    limit();
    String first = attempt(0);
    assertTrue(first.contains("FAILED " + node.appDir(node.fast, node.ann)), first);
    assertTrue(first.contains("quota exceeded"), first);
    String second = attempt(1);
    assertTrue(second.contains("WROTE " + node.appDir(node.slow, node.ann)), second);
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
    String before = task(node.ann);
    assertTrue(before.contains("PLACED " + node.appDir(node.fast, node.ann)), before);
    useUpQuota();
    String hers = task(node.ann);
    assertTrue(hers.contains("PLACED " + node.appDir(node.slow, node.ann)), hers);
    assertTrue(hers.contains("COUNTED temptier-disk 1 "), hers);
    String his = task(node.bob);
    assertTrue(his.contains("PLACED " + node.appDir(node.fast, node.bob)), his);
  }
}
