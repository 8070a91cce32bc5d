// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are held against their owner, as with Kerberos. */
class OutputFileTest {
  private static final int NOBODY = 65534;

  @TempDir Path localDir;

  private final MapOutputId id = MapOutputId.of("ann", "application_1_0001", "attempt_1");
  private Path folder = Path.of("");
  private Path file = Path.of("");
  private String owner = "";

  @BeforeEach
  void write() throws IOException {
    folder = Files.createDirectories(localDir.toRealPath().resolve(id.relativePath()));
    file = Files.writeString(folder.resolve(MapOutputId.DATA), "content");
    owner = Files.getOwner(file).getName();
  }

  private static FileChannel open(Path file, Path found, String user) throws IOException {
    return OutputFile.openOwned(file, FileStamp.of(found).key(), user);
  }

  private void assertRefused(String user, String why) {
    IOException refused = assertThrows(IOException.class, () -> open(file, file, user).close());
    assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.toString());
  }

  @Test
  void whatIsTheUsersIsOpened() throws IOException {
    try (FileChannel open = open(file, file, owner)) {
      ByteBuffer content = ByteBuffer.allocate(100);
      assertEquals(7, open.read(content));
      assertEquals('c', content.get(0));
    }
  }

  @Test
  void whatIsAnotherUsersIsNot() {
    assertRefused("somebody", "Owner '" + owner + "' for path " + file + " did not match");
  }

  @Test
  void noFolderOnTheWayIsALink() throws IOException {
    Path away = Files.move(folder, localDir.resolve("away"));
    Files.createSymbolicLink(folder, away);
    assertRefused(owner, "attempt_1 is not a folder");
  }

  @Test
  void aLinkOfTheSameNameIsNotFollowed() throws IOException {
    Path away = Files.move(file, localDir.resolve("away"));
    Files.createSymbolicLink(file, away);
    assertThrows(IOException.class, () -> open(file, away, owner).close());
    assertRefused(owner, "was replaced");
  }

  @Test
  @NeedsRoot
  void aFileOfAnotherUsersInAFolderOfTheUsersIsNotServed() throws IOException {
    Files.setAttribute(file, "unix:uid", NOBODY);
    assertRefused(owner, "did not match expected owner '" + owner + "'");
    // Whoever is named as its owner: the folders are another's.
    assertRefused(Files.getOwner(file).getName(), "belongs to uid " + NOBODY);
  }
}
