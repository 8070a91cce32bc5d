// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.PipeSwapper;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class UserFileTest {
  /** Longer than a busy machine holds up a thread. */
  private static final Duration WAITS = Duration.ofSeconds(6);

  private static final Duration LONG = Duration.ofMinutes(4);

  @TempDir Path root;
  private Path relative;
  private Path folder;

  @BeforeEach
  void makeFile() throws IOException {
    relative = Path.of("usercache", "ann", "appcache", "app", "file.out");
    folder = Files.createDirectories(root.resolve(relative).getParent());
    Files.writeString(root.resolve(relative), "ann's");
  }

  private static String read(Path localDir, Path relative) throws IOException {
    try (FileChannel channel = UserFile.openRegular(localDir, relative, LONG)) {
      ByteBuffer bytes = ByteBuffer.allocate(100);
      channel.read(bytes, 0);
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }
  }

  private void refused(String why) {
    Texts.thrown(IOException.class, () -> read(root, relative), why);
  }

  @Test
  void opensAFileOfTheUserBelowALinkedLocalDir() throws IOException {
    assertEquals("ann's", read(root, relative));
    Path link = Files.createSymbolicLink(root.resolve("link"), root);
    assertEquals("ann's", read(link, relative), "the operator's own link");
    assertThrows(NoSuchFileException.class, () -> read(root, Path.of("usercache", "nobody", "x")));
    assertThrows(IOException.class, () -> read(root, Path.of("..", "x")));
  }

  @Test
  void refusesWhateverIsNoRegularFile() throws Exception {
    Path file = root.resolve(relative);
    Files.delete(file);
    Programs.pipe(file);
    refused("not a regular file");
    Files.delete(file);
    Files.createDirectory(file);
    refused("not a regular file");
    Files.delete(file);
    Files.createSymbolicLink(file, Files.writeString(root.resolve("other"), "other's"));
    refused("not a regular file");
  }

  @Test
  void followsNoLinkAndNoPipeOnTheWay() throws Exception {
    Path real = Files.move(folder, root.resolve("elsewhere"));
    Files.createSymbolicLink(folder, real);
    refused("not a folder");
    Files.delete(folder);
    Programs.pipe(folder);
    refused("not a folder");
  }

  @Test
  @NeedsRoot
  void refusesAnotherUsersFileAndFolder() throws IOException {
    Path ann = root.resolve("usercache/ann");
    for (Path path : List.of(ann, ann.resolve("appcache"), folder)) {
      Files.setAttribute(path, "unix:uid", 4711);
    }
    refused("belongs to uid 0 instead of uid 4711");
    Files.setAttribute(root.resolve(relative), "unix:uid", 4711);
    assertEquals("ann's", read(root, relative));
    Files.setAttribute(folder, "unix:uid", 4712);
    refused("belongs to uid 4712 instead of uid 4711");
  }

  @Test
  void aFileSwappedForAPipeStopsNobodyElse() throws Exception {
    Path file = root.resolve(relative);
    int stopped = 0;
    try (PipeSwapper swapper =
        new PipeSwapper(root, file, "ann's".getBytes(StandardCharsets.UTF_8))) {
      for (int i = 0; i < 20_000 && stopped < 2; i++) {
        try (FileChannel channel = UserFile.openRegular(root, relative, WAITS)) {
          ByteBuffer first = ByteBuffer.allocate(1);
          channel.read(first, 0);
          assertTrue(first.position() == 0 || first.get(0) == 'a', "a regular file");
        } catch (IOException e) {
          stopped += e.getMessage() != null && e.getMessage().startsWith("No answer") ? 1 : 0;
        }
      }
      swapper.stop();
      System.out.println("Openings that a swapped pipe stopped: " + stopped);
      Path bobs = Path.of("usercache", "bob", "file.out");
      Files.createDirectories(root.resolve(bobs).getParent());
      Files.writeString(root.resolve(bobs), "bob's");
      assertEquals("bob's", read(root, bobs));
      if (stopped == 2) {
        Files.delete(file);
        Files.writeString(file, "ann's");
        refused("Not tried");
      }
    }
  }
}
