// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.FileKind;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A complete block of Spark: no process writes it any more. */
@AutoValue
abstract class CompleteBlock {

  /** A link in the file's place takes an inode, and a block for a path of usual length. */
  private static final long SMALLEST_BYTES = 16 << 10;

  /** Mode bit that {@link ColdBlocks#beingWritten} sets: its owner may execute it. */
  private static final int BEING_WRITTEN = 0100;

  private static final Duration COLD = Duration.ofSeconds(30);

  /** Bound on blocks of a dir in a round; the rest waits for the next. */
  private static final int MOST_BLOCKS = 100_000;

  abstract Path file();

  /** The path where Spark looks for it: its own, or that of a link to it. */
  abstract Path name();

  /** The name of the folder that it is looked for in. */
  abstract String home();

  abstract FileStamp stamp();

  /**
   * The complete blocks in the folder of an application.
   *
   * @param homes the names of homes that are looked at; empty for all
   * @param parents all folders of the application, in which its homes are
   * @throws IOException when not all can be listed
   */
  static List<CompleteBlock> oldestFirst(Path parent, Set<String> homes, Collection<Path> parents)
      throws IOException {
    List<CompleteBlock> blocks = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
      for (Path folder : folders) {
        String name = String.valueOf(folder.getFileName());
        boolean annex = BlockFolders.isAnnex(name);
        String home = annex ? BlockFolders.homeOf(name) : name;
        if (home.startsWith(BlockFolders.HOME)
            && (homes.isEmpty() || homes.contains(home))
            && Files.isDirectory(folder, NOFOLLOW_LINKS)) {
          Path names = annex ? homeOf(home, parents) : folder;
          if (names != null) {
            look(folder, names, home, blocks);
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    blocks.sort(Comparator.comparing(block -> block.stamp().modified()));
    return blocks;
  }

  private static @Nullable Path homeOf(String home, Collection<Path> parents) {
    return parents.stream()
        .map(parent -> parent.resolve(home))
        .filter(folder -> Files.isDirectory(folder, NOFOLLOW_LINKS))
        .findFirst()
        .orElse(null);
  }

  private static void look(Path folder, Path names, String home, List<CompleteBlock> blocks)
      throws IOException {
    try (DirectoryStream<Path> subs =
        Files.newDirectoryStream(folder, sub -> Files.isDirectory(sub, NOFOLLOW_LINKS))) {
      for (Path sub : subs) {
        lookInto(sub, names.resolve(sub.getFileName()), home, blocks);
      }
    }
  }

  private static void lookInto(Path sub, Path names, String home, List<CompleteBlock> blocks)
      throws IOException {
    boolean elsewhere = !names.equals(sub);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(sub)) {
      for (Path file : files) {
        Optional<FileStamp> stamp = FileStamp.find(file);
        String called = String.valueOf(file.getFileName());
        Path name = names.resolve(elsewhere ? BlockFolders.withoutUnique(called) : called);
        if (stamp.filter(found -> complete(name, found)).isPresent()
            && blocks.size() < MOST_BLOCKS
            // Not yet, or not any more, while an output has another name.
            && (!elsewhere || FileMover.leads(name, file))) {
          blocks.add(new AutoValue_CompleteBlock(file, name, home, stamp.get()));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException e) {
      // Deleted meanwhile, or not Spark's own: others are looked at all the same.
    }
  }

  /** Spark renames an output when it is complete. */
  private static boolean complete(Path file, FileStamp stamp) {
    if (!stamp.regular() || stamp.bytes() < SMALLEST_BYTES || stamp.links() != 1) {
      return false;
    }
    String name = String.valueOf(file.getFileName());
    return BlockFolders.mayBeBlock(name)
        && (FileKind.of(name) != FileKind.CACHED_BLOCK
            || ((stamp.permissions() & BEING_WRITTEN) == 0
                && System.currentTimeMillis() - stamp.modified().toMillis() > COLD.toMillis()));
  }
}
