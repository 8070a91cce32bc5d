// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.FullDisk;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.OtherUser;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.Scratch;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.room.FileSystemCapacity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Demotion off a fast disk on which nothing can be made any more, which is what it is for. */
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsLoopDisk
class FullDiskTest extends TwoTiers {
  private static final int OUTPUTS = 20;
  private static final int UID = 30_004;

  @AutoClose private LoopDisk full;
  @AutoClose private LoopDisk below;

  /** Over the dirs that there are. */
  @BeforeEach
  void mount() throws IOException {
    full = LoopDisk.create(temp, "nvme", 100 * MB, "mkfs.ext4", "-q", "-F", "-m", "0", "-N", "400");
    below = LoopDisk.create(temp, "disk", 100 * MB);
    for (LoopDisk disk : List.of(full, below)) {
      Files.createDirectories(disk.path().resolve(NodeMarker.DIR));
      Path application = LocalDir.application(TestNode.USER, TestNode.APP);
      Files.createDirectories(disk.path().resolve(application));
    }
  }

  @ParameterizedTest
  @CsvSource({"blocks, false", "blocks, true", "inodes, false", "inodes, true"})
  void outputsLeaveADiskThatTakesNoLink(String outOf, boolean asUser) throws Exception {
    List<MapOutputId> outputs = node.writeAll(fast, OUTPUTS, MB);
    LinkReserve.ofNode(fast.path()).hold();
    if (asUser) {
      node.give(fast, UID);
      node.give(slow, UID);
    }
    if (outOf.equals("blocks")) {
      FullDisk.ofBlocks(full.path());
    } else {
      FullDisk.ofInodes(full.path());
    }
    assertThrows(
        IOException.class,
        () -> Files.createSymbolicLink(full.path().resolve("x"), Path.of("/" + "x".repeat(200))));

    node.asUsers = asUser ? Optional.of(new AsUser(temp)) : Optional.empty();
    try (Demoter demoter =
        node.start(TestNode.settings(0.2, 0.01, 1L << 30), new FileSystemCapacity())) {
      TestNode.await(
          "all are moved", demoter, () -> demoter.get(DemotionCounter.FILES_DEMOTED) == OUTPUTS);
      assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
    }
    for (MapOutputId id : outputs) {
      assertTrue(node.linked(fast, id), id::toString);
      assertTrue(node.holds(slow, id), id::toString);
      assertEquals(asUser ? UID : 0, FileStamp.of(node.file(slow, id)).uid());
      node.assertReadable(id, MB, List.of(fast, slow));
    }
    assertEquals(List.of(), node.temporary());
  }

  /** Runs programs as the user, with classes that the user can read. */
  private static final class AsUser extends DirectProcesses {
    private static final String SCRIPT =
        "chown -R $0 . && exec setpriv --reuid $0 --regid $0 --clear-groups \"$@\"";

    private final Path temp;

    AsUser(Path temp) {
      this.temp = temp;
    }

    @Override
    public List<String> command(
        ApplicationUser who, Scratch scratch, Path credentials, List<String> program) {
      List<String> asUser = new ArrayList<>(List.of("sh", "-c", SCRIPT, Integer.toString(UID)));
      asUser.addAll(program);
      try {
        List<String> readable = OtherUser.command(temp, UID, List.of());
        asUser.set(asUser.indexOf("-cp") + 1, readable.get(readable.indexOf("-cp") + 1));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.command(who, scratch, credentials, asUser);
    }
  }
}
