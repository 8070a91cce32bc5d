// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A move is what is on the disks, whatever a call says. */
class FileMoverTest {
  private static final byte[] CONTENT = new byte[300_000];

  static {
    new Random(7).nextBytes(CONTENT);
  }

  @TempDir Path temp;

  private LocalDir slow;
  private Path block;
  private Path copy;
  private boolean left;

  @BeforeEach
  void write() throws IOException {
    slow = Layouts.dir(Layouts.root(temp.resolve("slow")), Medium.DISK);
    Path home = Files.createDirectories(temp.resolve("fast/blockmgr-1/0a"));
    block = Files.write(home.resolve("shuffle_0_0_0.data"), CONTENT);
    Files.createDirectories(slow.path().resolve("blockmgr-1"));
    copy = slow.path().resolve("blockmgr-1/0a/shuffle_0_0_0.data.1");
  }

  private void move(FileMover.Owner owner) throws IOException {
    FileMover.Route route =
        FileMover.Route.of(
            block, FileStamp.of(block), block, block.resolveSibling("link"), copy, copy, slow);
    MoveControl control =
        new MoveControl() {
          @Override
          public void pass(LocalDir target, long bytes) {}

          @Override
          public void left() {
            left = true;
          }
        };
    new FileMover(route, owner, control).move(1 << 20, List.of());
  }

  private void assertNotMoved() throws IOException {
    assertTrue(Files.isRegularFile(block, LinkOption.NOFOLLOW_LINKS));
    assertArrayEquals(CONTENT, Files.readAllBytes(block));
    assertFalse(Files.exists(copy.getParent()));
    assertFalse(Files.exists(block.resolveSibling("link"), LinkOption.NOFOLLOW_LINKS));
    assertFalse(left);
  }

  @Test
  void theCopyIsLookedAtAtTheLastInstant() throws IOException {
    assertThrows(
        MoveStoppedException.class,
        () ->
            move(
                (name, copied, link) -> {
                  Files.delete(copy);
                  return ColdBlocks.replace(name, copied, link);
                }));
    assertNotMoved();
  }

  @Test
  void aLinkToACopyThatIsGoneIsNoMove() {
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                move(
                    (name, copied, link) -> {
                      boolean done = ColdBlocks.replace(name, copied, link);
                      Files.delete(copy);
                      return done;
                    }));
    assertTrue(thrown.toString().contains(copy.toString()), thrown::toString);
  }
}
