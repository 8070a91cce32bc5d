// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mover of Spark's blocks: it chooses a place below, and {@link FileMover} moves them there. The
 * copy's name is unique, so a process that dies in between leaves a copy that no link leads to.
 */
final class BlockMover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockMover.class);

  private final Placer below;
  private final Pace pace;
  private final BiConsumer<PlacementRequest, Placement> moved;

  /** For one thread; {@code below} chooses among the slower dirs, and is closed with this. */
  BlockMover(Placer below, Pace pace, BiConsumer<PlacementRequest, Placement> moved) {
    this.below = below;
    this.pace = pace;
    this.moved = moved;
  }

  Placer below() {
    return below;
  }

  /**
   * Moves one block, if there is room below and it is still what was looked at.
   *
   * @param reserves that a link may be made from where its disk is full
   * @return whether it was moved
   */
  boolean move(ColdBlocks.Blocks blocks, CompleteBlock block, List<LinkReserve> reserves)
      throws IOException {
    String name = copyName(block);
    PlacementRequest request =
        below.request(
            block.home() + "/" + sub(block).getFileName() + "/" + name,
            block.stamp().bytes(),
            blocks.application());
    Optional<Placer.Placed> to =
        FileMover.withClaim(
            below,
            request,
            // Here, so that a dir in which folders cannot be made is passed by.
            dir -> place(blocks, block, name, dir),
            placed ->
                move(
                    block,
                    placed.file(),
                    placed.placement().dir(),
                    pace.partBytes(),
                    reserves,
                    ColdBlocks::replace,
                    this::await));
    to.ifPresent(placed -> moved.accept(request, placed.placement()));
    return to.isPresent();
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
      FileMover.Owner owner,
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
      FileMover.move(route, partBytes, reserves, owner, control);
      return true;
    } catch (MoveStoppedException e) {
      return false;
    }
  }

  private void await(LocalDir target, long bytes) throws MoveStoppedException {
    try {
      pace.await(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "this process ends");
    }
  }

  /** Does what {@link ColdBlocks#moveOldest} says. */
  static void moveOldest(
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
        if (move(block, copy, to, partBytes, Immutable.listOf(), flushing(block), control)) {
          left -= block.stamp().bytes();
        }
      } catch (IOException e) {
        LOG.debug("{} stays", block, e);
      }
    }
  }

  /**
   * Flushes the link of a move before there is a copy: nobody else sweeps up what a power cut
   * leaves of another user's.
   */
  private static FileMover.Owner flushing(CompleteBlock block) {
    return new FileMover.Owner() {
      @Override
      public boolean replace(Path name, FileStamp copied, Path link) throws IOException {
        return ColdBlocks.replace(name, copied, link);
      }

      @Override
      public void reached(MoveStep step) {
        if (step == MoveStep.LINKED) {
          FileMover.flushFolder(Objects.requireNonNull(block.name().getParent()));
        }
      }
    };
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

  @Override
  public void close() {
    below.close();
  }
}
