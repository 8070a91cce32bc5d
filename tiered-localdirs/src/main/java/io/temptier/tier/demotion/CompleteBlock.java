// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementRequest;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A complete block of Spark: no process writes it any more. It moves by {@link FileMover}; the
 * copy's name is unique, so a process that dies in between leaves a copy that no link leads to.
 */
@AutoValue
public abstract class CompleteBlock {
  private static final Logger LOG = LoggerFactory.getLogger(CompleteBlock.class);

  /** A link in the file's place takes an inode, and a block for a path of usual length. */
  static final long SMALLEST_BYTES = 16 << 10;

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

  /** The complete blocks in a dir; throws when not all can be listed. */
  static List<CompleteBlock> oldestFirst(ColdBlocks.Blocks from, LocalDir dir) throws IOException {
    List<CompleteBlock> blocks = new ArrayList<>();
    for (Path sub : subs(from.folder(dir), from.homes())) {
      Path folder = FileMover.parent(sub);
      String home = home(folder);
      Optional<Path> names = Optional.of(folder);
      if (!folder.endsWith(home)) {
        names =
            from.folders().values().stream()
                .map(parent -> parent.resolve(home))
                .filter(there -> Files.isDirectory(there, NOFOLLOW_LINKS))
                .findFirst();
      }
      if (names.isPresent()) {
        lookInto(sub, names.get().resolve(sub.getFileName()), home, blocks);
      }
    }
    blocks.sort(Comparator.comparing(block -> block.stamp().modified()));
    return blocks;
  }

  /** Folders with the files of some homes, or of all when {@code homes} is empty. */
  private static List<Path> subs(Path application, Set<String> homes) throws IOException {
    List<Path> subs = new ArrayList<>();
    for (Path folder : folders(application)) {
      String home = home(folder);
      if (home.startsWith(BlockFolders.HOME) && (homes.isEmpty() || homes.contains(home))) {
        subs.addAll(folders(folder));
      }
    }
    return subs;
  }

  private static List<Path> folders(Path parent) throws IOException {
    List<Path> folders = new ArrayList<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(parent, each -> Files.isDirectory(each, NOFOLLOW_LINKS))) {
      all.forEach(folders::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return folders;
  }

  /** The name of the home that a folder is, or has files of. */
  private static String home(Path folder) {
    String name = String.valueOf(folder.getFileName());
    return BlockFolders.isAnnex(name) ? BlockFolders.homeOf(name) : name;
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

  /**
   * Moves it, if there is room below and it is still what was looked at.
   *
   * @param reserves that a link may be made from where its disk is full
   * @param moved told by which request its copy was placed, and where
   * @return whether it was moved
   */
  boolean move(
      ColdBlocks.Blocks blocks,
      Placer below,
      Pace pace,
      List<LinkReserve> reserves,
      BiConsumer<PlacementRequest, LocalDir> moved)
      throws IOException {
    String copy = copyName();
    PlacementRequest request =
        below.request(
            home() + "/" + FileMover.parent(file()).getFileName() + "/" + copy,
            stamp().bytes(),
            blocks.application());
    Placer.Placed to =
        // Folders here, so that a dir in which they cannot be made is passed by.
        FileMover.claim(below, request, dir -> place(blocks, copy, dir)).orElse(null);
    if (to == null) {
      return false;
    }
    LocalDir target = to.placement().dir();
    MoveControl control = (dir, bytes) -> pace.await(bytes);
    try {
      if (!move(to.file(), target, pace.partBytes(), reserves, control)) {
        return false;
      }
    } finally {
      below.settle(to.file());
    }
    moved.accept(request, target);
    return true;
  }

  private String copyName() {
    return BlockFolders.unique(String.valueOf(name().getFileName()));
  }

  /** Makes the folders of a copy, and tells its path. */
  private Path place(ColdBlocks.Blocks blocks, String copy, LocalDir dir) throws IOException {
    Path sub = FileMover.parent(file());
    Path annex = blocks.folder(dir).resolve(BlockFolders.annex(home()));
    try {
      FileMover.makeFolder(annex, FileMover.parent(sub));
      FileMover.makeFolder(annex.resolve(sub.getFileName()), sub);
    } catch (MoveStoppedException e) {
      throw new Placer.PathRefusedException(e);
    }
    return annex.resolve(sub.getFileName()).resolve(copy);
  }

  private boolean move(
      Path copy, LocalDir target, int partBytes, List<LinkReserve> reserves, MoveControl control)
      throws IOException {
    FileMover.Route route =
        FileMover.Route.of(file(), stamp(), name(), ColdBlocks.token(name()), copy, copy, target);
    try {
      new FileMover(route, ColdBlocks::replace, control).move(partBytes, reserves);
      return true;
    } catch (MoveStoppedException e) {
      return false;
    }
  }

  /**
   * Takes back what a killed process left of moves of an application's blocks, and moves the oldest
   * out of one dir, for a process as their user.
   *
   * @param to where so many bytes are claimed
   * @param bytes the most
   */
  public static void moveOldest(
      ColdBlocks.Blocks blocks,
      LocalDir from,
      LocalDir to,
      long bytes,
      int partBytes,
      MoveControl control)
      throws IOException {
    for (Path folder : blocks.folders().values()) {
      for (Path sub : subs(folder, blocks.homes())) {
        takeBack(sub);
      }
    }
    long left = bytes;
    for (CompleteBlock block : oldestFirst(blocks, from)) {
      control.check();
      if (block.stamp().bytes() > left) {
        continue;
      }
      try {
        Path copy = block.place(blocks, block.copyName(), to);
        if (block.move(copy, to, partBytes, Immutable.listOf(), control)) {
          left -= block.stamp().bytes();
        }
      } catch (IOException e) {
        LOG.debug("{} stays", block, e);
      }
    }
  }

  /** Takes back moves in the middle of which a process was killed, by the links they began with. */
  private static void takeBack(Path sub) throws IOException {
    try (DirectoryStream<Path> tokens = Files.newDirectoryStream(sub, ColdBlocks.TOKEN + "*")) {
      for (Path token : tokens) {
        String name = String.valueOf(token.getFileName()).substring(ColdBlocks.TOKEN.length());
        Path copy = Files.isSymbolicLink(token) ? Files.readSymbolicLink(token) : token;
        boolean done = FileMover.leads(sub.resolve(name), copy) || !isCopy(copy);
        if (done || FileMover.delete(copy)) {
          FileMover.delete(token);
        }
      }
    }
  }

  private static boolean isCopy(Path file) {
    return file.getNameCount() > 2
        && BlockFolders.isAnnex(file.getName(file.getNameCount() - 3).toString());
  }
}
