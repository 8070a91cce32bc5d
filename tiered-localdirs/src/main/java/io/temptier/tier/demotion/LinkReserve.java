// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room that is held back on a file system for the links of demotion. A link needs an inode and
 * often a block: on a disk without either nothing could leave it, which is when demotion is needed
 * most. It is held as a few small files, each of which gives its room to one link. What a move
 * frees pays for the next.
 *
 * <p>Between the end of such a file and the link others may take the room. The next file is tried
 * then. Safe for use by many threads and processes of one user; waits for the disk.
 */
@AutoValue
public abstract class LinkReserve {

  private static final int FILES = 4;

  /** XFS wants about 70 blocks free for a link. */
  private static final int BYTES = 512 << 10;

  /**
   * Below that the disk is as good as full, and what is free is for files that are being written.
   */
  private static final long LEAST_USABLE_BYTES = 16L * FILES * BYTES;

  /** Names of a link that takes a block of its own. */
  private static final int LONG_LINK = 100;

  private static final String SUFFIX = ".room-";
  private static final Logger LOG = LoggerFactory.getLogger(LinkReserve.class);

  public abstract Path folder();

  public abstract String name();

  public static LinkReserve of(Path folder, String name) {
    return new AutoValue_LinkReserve(folder, name);
  }

  /** A link could not be made, most likely for want of room, and nothing is held back any more. */
  public static final class FullException extends IOException {
    private static final long serialVersionUID = 1;

    FullException(Path link, IOException cause) {
      super("no room for " + link + ": " + cause.getMessage(), cause);
    }
  }

  public static LinkReserve ofNode(Path localDir) {
    return LinkReserve.of(localDir.resolve(NodeMarker.DIR), "demotion");
  }

  /** Makes the missing files of the reserve, where there is room to spare. Never throws. */
  public void hold() {
    for (Path file : files()) {
      if (Files.exists(file, NOFOLLOW_LINKS)) {
        continue;
      }
      if (folder().toFile().getUsableSpace() < LEAST_USABLE_BYTES) {
        return;
      }
      try (FileChannel out =
          FileChannel.open(file, Immutable.setOf(CREATE_NEW, WRITE, NOFOLLOW_LINKS))) {
        ByteBuffer content = ByteBuffer.allocate(BYTES);
        while (content.hasRemaining()) {
          out.write(content);
        }
        // Before that it may not have its blocks yet.
        out.force(true);
      } catch (IOException e) {
        LOG.debug("Cannot hold room back in {}", folder(), e);
        FileMover.delete(file);
        return;
      }
    }
  }

  public void drop() {
    files().forEach(FileMover::delete);
  }

  /** Gives up the room for one link; false when there is none. */
  public boolean give() {
    for (Path file : files()) {
      try (FileChannel held = FileChannel.open(file, Immutable.setOf(WRITE, NOFOLLOW_LINKS))) {
        held.truncate(0);
        // Journals keep freed blocks until they have been written.
        held.force(true);
      } catch (IOException e) {
        LOG.debug("Nothing is held back as {}", file, e);
        continue;
      }
      if (FileMover.delete(file)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Makes a link. Where that fails as on a full disk, reserves give up room for it.
   *
   * @param reserves on the link's file system, the first to use first
   * @throws FullException when there is no room for it
   * @throws IOException when it cannot be made for another reason
   */
  public static void link(Path link, Path target, List<LinkReserve> reserves) throws IOException {
    while (true) {
      try {
        Files.createSymbolicLink(link, target);
        return;
      } catch (FileSystemException e) {
        // Exceptions of other reasons have classes of their own. Texts depend on the locale.
        if (e.getClass() != FileSystemException.class) {
          throw e;
        }
        if (reserves.stream().noneMatch(LinkReserve::give)) {
          throw new FullException(link, e);
        }
      }
    }
  }

  /**
   * Sees to it that there is room for one link, for a process that may not touch the reserve.
   *
   * @throws FullException when there is none
   */
  public void makeRoom() throws IOException {
    Path probe = folder().resolve(name() + ".link");
    FileMover.delete(probe);
    try {
      String here = new String(new char[LONG_LINK]).replace("\0", "./");
      link(probe, Paths.get(here), Immutable.listOf(this));
    } finally {
      FileMover.delete(probe);
    }
    // Journals keep freed blocks until they have been written.
    FileMover.flushFolder(folder());
  }

  private List<Path> files() {
    return IntStream.range(0, FILES)
        .mapToObj(number -> folder().resolve(name() + SUFFIX + number))
        .collect(Immutable.toList());
  }
}
