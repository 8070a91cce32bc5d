// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves blocks of Spark by {@link FileMover}. The copy's name is unique, so a process that dies in
 * between leaves a copy that no link leads to.
 */
public final class BlockMover {
  private static final Logger LOG = LoggerFactory.getLogger(BlockMover.class);

  private BlockMover() {}

  /**
   * Moves one block, if there is room below and it is still what was looked at.
   *
   * @param reserves that a link may be made from where its disk is full
   * @param moved told by which request its copy was placed, and where
   * @return whether it was moved
   */
  static boolean move(
      ColdBlocks.Blocks blocks,
      CompleteBlock block,
      Placer below,
      Pace pace,
      List<LinkReserve> reserves,
      BiConsumer<PlacementRequest, LocalDir> moved)
      throws IOException {
    String name = copyName(block);
    PlacementRequest request =
        below.request(
            block.home() + "/" + sub(block).getFileName() + "/" + name,
            block.stamp().bytes(),
            blocks.application());
    Placer.Placed to =
        // Folders here, so that a dir in which they cannot be made is passed by.
        FileMover.claim(below, request, dir -> place(blocks, block, name, dir)).orElse(null);
    if (to == null) {
      return false;
    }
    LocalDir target = to.placement().dir();
    MoveControl control = (dir, bytes) -> pace.await(bytes);
    try {
      if (!move(block, to.file(), target, pace.partBytes(), reserves, control)) {
        return false;
      }
    } finally {
      below.settle(to.file());
    }
    moved.accept(request, target);
    return true;
  }

  private static String copyName(CompleteBlock block) {
    return BlockFolders.unique(String.valueOf(block.name().getFileName()));
  }

  private static Path sub(CompleteBlock block) {
    return Objects.requireNonNull(block.file().getParent());
  }

  /** Makes the folders of a copy, and tells its path. */
  private static Path place(
      ColdBlocks.Blocks blocks, CompleteBlock block, String name, LocalDir dir) throws IOException {
    Path sub = sub(block);
    Path annex = blocks.folder(dir).resolve(BlockFolders.annex(block.home()));
    try {
      FileMover.makeFolder(annex, Objects.requireNonNull(sub.getParent()));
      FileMover.makeFolder(annex.resolve(sub.getFileName()), sub);
    } catch (MoveStoppedException e) {
      throw new Placer.PathRefusedException(e);
    }
    return annex.resolve(sub.getFileName()).resolve(name);
  }

  private static boolean move(
      CompleteBlock block,
      Path copy,
      LocalDir target,
      int partBytes,
      List<LinkReserve> reserves,
      MoveControl control)
      throws IOException {
    FileMover.Route route =
        FileMover.Route.of(
            block.file(),
            block.stamp(),
            block.name(),
            ColdBlocks.token(block.name()),
            copy,
            copy,
            target);
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
      takeBack(folder);
    }
    long left = bytes;
    for (CompleteBlock block :
        CompleteBlock.oldestFirst(blocks.folder(from), blocks.homes(), blocks.folders().values())) {
      control.check();
      if (block.stamp().bytes() > left) {
        continue;
      }
      try {
        Path copy = place(blocks, block, copyName(block), to);
        if (move(block, copy, to, partBytes, Immutable.listOf(), control)) {
          left -= block.stamp().bytes();
        }
      } catch (IOException e) {
        LOG.debug("{} stays", block, e);
      }
    }
  }

  /** Takes back moves in the middle of which a process was killed, by the links they began with. */
  private static void takeBack(Path application) throws IOException {
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(application, "*blockmgr-*")) {
      for (Path home : homes) {
        if (!Files.isDirectory(home, NOFOLLOW_LINKS)) {
          continue;
        }
        try (DirectoryStream<Path> subs = Files.newDirectoryStream(home)) {
          for (Path sub : subs) {
            if (Files.isDirectory(sub, NOFOLLOW_LINKS)) {
              takeBackIn(sub);
            }
          }
        }
      }
    }
  }

  private static void takeBackIn(Path sub) throws IOException {
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
