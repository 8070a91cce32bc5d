// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.asuser.UserBatches;
import io.temptier.tier.demotion.asuser.UserBlocks;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.settings.DemotionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of Spark that a process of their user moves, while the fast dir is to be empty. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserBlocksTest extends TwoTiers {
  private static final int BLOCKS = 5;
  private static final int BYTES_OF_ONE = 200_000;
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";

  private final DirectProcesses processes = new DirectProcesses();
  private final List<Long> moved = new ArrayList<>();
  private UserBatches batches;
  private Path sub;

  @BeforeEach
  void write() throws IOException {
    node.asUsers = Optional.of(processes);
    batches =
        new UserBatches(() -> node.asUsers, 1L << 30, Duration.ofMinutes(5), System::nanoTime);
    sub = Files.createDirectories(application(fast).resolve(HOME).resolve("0a"));
    for (int block = 0; block < BLOCKS; block++) {
      Files.write(path(block), content(block));
      Files.setLastModifiedTime(path(block), FileTime.fromMillis(1_000_000 + block));
      node.invariants.keep(path(block));
    }
  }

  private static Path application(LocalDir dir) {
    return TestNode.application(dir, TestNode.APP);
  }

  private Path path(int block) {
    return sub.resolve("shuffle_0_" + block + "_0.data");
  }

  private static byte[] content(int block) {
    byte[] content = new byte[BYTES_OF_ONE];
    new Random(block).nextBytes(content);
    return content;
  }

  private void round() {
    DemotionSettings.Marks marks = DemotionSettings.Marks.of(0, true, 0, true);
    Capacity used = Capacity.of(1L << 40, 1L << 39, 1 << 20, 1 << 20);
    try (ColdBlocks cold =
        new ColdBlocks(
            node.tiers(DemotionSettings.of(true, marks, 1L << 30, Duration.ZERO)),
            TestNode.pace(),
            (request, placement) -> {},
            dir -> used)) {
      UserBlocks asUser =
          new UserBlocks(
              batches,
              application -> node.gate(),
              (request, placement) -> moved.add(request.bytes()));
      Map<LocalDir, Path> folders = Map.of(fast, application(fast), slow, application(slow));
      cold.round(() -> List.of(ColdBlocks.Blocks.ofOther(TestNode.APP, folders, asUser)));
    }
  }

  private void assertMoved() throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      assertTrue(Files.isSymbolicLink(path(block)));
      assertTrue(path(block).toRealPath().startsWith(slow.path().toRealPath()));
      assertArrayEquals(content(block), Files.readAllBytes(path(block)));
    }
    assertEquals(List.of(), node.temporary());
  }

  @Test
  void allGoDownByOneProcess() throws IOException {
    round();
    assertMoved();
    assertEquals(1, batches.started());
    assertEquals(BLOCKS, moved.size());
    round();
    assertEquals(1, batches.started(), "there is nothing more to move");
  }
}
