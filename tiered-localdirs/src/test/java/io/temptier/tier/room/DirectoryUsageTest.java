// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DirectoryUsageTest {
  private static final int MB = 1 << 20;
  private static final int UID_OF_NOBODY = 65534;

  @TempDir Path temp;

  /** Prints what a walk of the dir saw. */
  public static final class Walker {
    public static void main(String[] args) {
      DirectoryUsage.Usage usage =
          DirectoryUsage.measure(Path.of(args[0]), System::currentTimeMillis);
      System.out.println(usage.bytes() + " " + usage.foldersNotListed());
    }
  }

  @Test
  void countsFilesBelowButNoLinksAndNotItsOwn() throws IOException {
    Files.write(Files.createDirectories(temp.resolve("a/b")).resolve("f"), new byte[1000]);
    Files.write(Files.createDirectories(temp.resolve(".temptier")).resolve("f"), new byte[70]);
    Files.createSymbolicLink(temp.resolve("link"), temp.resolve("a"));
    DirectoryUsage.Usage usage = DirectoryUsage.measure(temp, () -> 17);
    assertEquals(DirectoryUsage.Usage.of(1000, 17, 0), usage);
    assertTrue(usage.complete());
    assertEquals(
        DirectoryUsage.Usage.of(0, 17, 0), DirectoryUsage.measure(temp.resolve("none"), () -> 17));
  }

  /** They cost their owner nothing. */
  @Test
  void filesWithHolesFillNoCap() throws IOException {
    for (String name : List.of("a", "b")) {
      Layouts.sparse(temp.resolve(name), 1L << 43);
    }
    assertEquals(1L << 44, DirectoryUsage.measure(temp, () -> 17).bytes());
    long here = new CapUsage(temp, 1000, System::currentTimeMillis).bytes();
    assertTrue(here <= temp.toFile().getTotalSpace(), here + " bytes");
  }

  @Test
  void aFolderSwappedForAPipeOrALinkNeitherStopsNorMisleadsAWalk() throws Exception {
    Files.write(Files.createDirectories(temp.resolve("elsewhere")).resolve("f"), new byte[MB]);
    Path dir = Files.createDirectories(temp.resolve("dir"));
    Path pipe = Programs.pipe(temp.resolve("pipe"));
    AtomicBoolean done = new AtomicBoolean();
    Thread swapper =
        new Thread(
            () -> {
              Path folder = dir.resolve("folder");
              for (int i = 0; !done.get(); i++) {
                try {
                  Files.createDirectory(folder);
                  Files.move(folder, temp.resolve("real"), StandardCopyOption.REPLACE_EXISTING);
                  if (i % 2 == 0) {
                    Files.createLink(folder, pipe);
                  } else {
                    Files.createSymbolicLink(folder, temp.resolve("elsewhere"));
                  }
                  Files.delete(folder);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    swapper.start();
    try {
      for (int i = 0; i < 2_000; i++) {
        assertEquals(0, DirectoryUsage.measure(dir, System::currentTimeMillis).bytes());
      }
    } finally {
      done.set(true);
      swapper.join();
    }
  }

  @Test
  @NeedsLoopDisk
  void whatMayNotBeListedIsCountedAsUnknownAndTheCapByTheFileSystem() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, 64 * MB)) {
      // As the Linux container executor leaves the folder of a container.
      Path container = Files.createDirectories(disk.path().resolve("usercache/ann/container_1"));
      Files.write(container.resolve("f"), new byte[20 * MB]);
      Files.setAttribute(container, "unix:mode", 0710);
      Files.write(disk.path().resolve("usercache/g"), new byte[1000]);
      Files.delete(disk.path().resolve("lost+found"));

      List<String> walk = List.of(Walker.class.getName(), disk.path().toString());
      assertEquals("1000 1", Programs.said(OtherUser.command(temp, UID_OF_NOBODY, walk)));

      Files.createDirectory(disk.path().resolve(NodeMarker.DIR));
      long now = System.currentTimeMillis();
      PublishedState.of(now, DirectoryUsage.Usage.of(1000, now, 1), 0, 0)
          .write(disk.path().resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
      CapUsage usage = new CapUsage(disk.path(), 1000, System::currentTimeMillis);
      assertTrue(usage.bytes() >= 20 * MB, usage.bytes() + " bytes");
    }
  }
}
