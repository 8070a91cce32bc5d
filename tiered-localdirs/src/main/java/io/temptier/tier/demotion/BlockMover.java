// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * Mover of Spark's blocks: it chooses a place below, and {@link FileMover} moves them there. The
 * copy's name is unique, so a process that dies in between leaves a copy that no link leads to.
 */
final class BlockMover implements AutoCloseable {
  private final Placer below;
  private final Pace pace;
  private final FileMover.Owner owner;
  private final BiConsumer<PlacementRequest, Placement> moved;

  /**
   * Constructor of a mover for one thread.
   *
   * @param below chooses among the slower dirs; closed with this
   */
  BlockMover(
      Placer below,
      NodeRate rate,
      FileMover.Owner owner,
      BiConsumer<PlacementRequest, Placement> moved) {
    this.below = below;
    this.pace = rate.pace();
    this.owner = owner;
    this.moved = moved;
  }

  /**
   * Moves one block, if there is room below and it is still what was looked at.
   *
   * @param reserves that a link may be made from where its disk is full
   * @return whether it was moved
   */
  boolean move(ColdBlocks.Blocks blocks, CompleteBlock block, List<LinkReserve> reserves)
      throws IOException {
    Path folder = Objects.requireNonNull(block.file().getParent());
    Path home = Objects.requireNonNull(folder.getParent());
    Path sub = Objects.requireNonNull(folder.getFileName());
    String name = BlockFolders.unique(String.valueOf(block.name().getFileName()));
    PlacementRequest request =
        below.request(
            block.home() + "/" + sub + "/" + name, block.stamp().bytes(), blocks.application());
    Optional<Placer.Placed> to =
        FileMover.withClaim(
            below,
            request,
            dir -> {
              // Here, so that a dir in which they cannot be made is passed by.
              Path annex = blocks.folder(dir).resolve(BlockFolders.annex(block.home()));
              try {
                FileMover.makeFolder(annex, home);
                FileMover.makeFolder(annex.resolve(sub), folder);
              } catch (MoveStoppedException e) {
                throw new Placer.PathRefusedException(e);
              }
              return annex.resolve(sub).resolve(name);
            },
            placed -> move(block, placed, reserves));
    to.ifPresent(placed -> moved.accept(request, placed.placement()));
    return to.isPresent();
  }

  private boolean move(CompleteBlock block, Placer.Placed to, List<LinkReserve> reserves)
      throws IOException {
    Path link = block.name().resolveSibling(ColdBlocks.TEMPORARY_LINK + UUID.randomUUID());
    FileMover.Route route =
        FileMover.Route.of(
            block.file(),
            block.stamp(),
            block.name(),
            link,
            to.file(),
            to.file(),
            to.placement().dir());
    try {
      FileMover.move(route, pace.partBytes(), reserves, owner, this::await);
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

  @Override
  public void close() {
    below.close();
  }
}
