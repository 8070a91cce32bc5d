// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.PlacementRequest;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves one block to a slower dir. It is copied, and then a link to the copy takes its place in one
 * step: whoever looks for it finds it whole at every instant, and whoever has it open reads on. A
 * process that dies in between leaves a copy that no link leads to.
 */
final class BlockMover implements AutoCloseable {
  private final Placer below;
  private final Pace pace;
  private final ColdBlocks.Exchange exchange;
  private final ColdBlocks.Moved moved;

  /**
   * For one thread.
   *
   * @param below chooses among the slower dirs; closed with this
   */
  BlockMover(Placer below, NodeRate rate, ColdBlocks.Exchange exchange, ColdBlocks.Moved moved) {
    this.below = below;
    this.pace = rate.pace();
    this.exchange = exchange;
    this.moved = moved;
  }

  /**
   * Moves one, if there is room below and it is still what was looked at.
   *
   * @param reserves that a link may be made from where its disk is full
   * @return whether it did
   */
  boolean move(ColdBlocks.Blocks blocks, CompleteBlock block, List<LinkReserve> reserves)
      throws IOException {
    String sub = String.valueOf(Objects.requireNonNull(block.file().getParent()).getFileName());
    String name = BlockFolders.unique(String.valueOf(block.name().getFileName()));
    PlacementRequest request =
        below.request(
            block.home() + "/" + sub + "/" + name, block.stamp().bytes(), blocks.application());
    Optional<Placer.Placed> to =
        ClaimBelow.during(
            below,
            request,
            dir -> folder(blocks.folder(dir), block, sub).resolve(name),
            placed -> move(block, placed.file(), reserves));
    to.ifPresent(placed -> moved.moved(request, placed.placement()));
    return to.isPresent();
  }

  private boolean move(CompleteBlock block, Path copy, List<LinkReserve> reserves)
      throws IOException {
    Path link = block.name().resolveSibling(ColdBlocks.TEMPORARY_LINK + UUID.randomUUID());
    boolean done = false;
    try {
      // First, for a full disk may not take it, and then there is no need to copy.
      LinkReserve.link(link, copy, reserves);
      copy(block, copy);
      done = exchange.replace(block.name(), block.stamp(), link);
      return done;
    } finally {
      if (!done) {
        Files.deleteIfExists(link);
        Files.deleteIfExists(copy);
      }
    }
  }

  /** Made within the application's folder, which is not. */
  private static Path folder(Path parent, CompleteBlock block, String sub) throws IOException {
    Path annex = parent.resolve(BlockFolders.annex(block.home()));
    Path model = Objects.requireNonNull(block.file().getParent());
    for (Path missing : Immutable.listOf(annex, annex.resolve(sub))) {
      try {
        Files.createDirectory(missing);
        Files.setPosixFilePermissions(
            missing,
            Files.getPosixFilePermissions(
                missing.equals(annex) ? Objects.requireNonNull(model.getParent()) : model));
      } catch (FileAlreadyExistsException e) {
        // As it should be.
      }
    }
    return annex.resolve(sub);
  }

  private void copy(CompleteBlock block, Path copy) throws IOException {
    try (FileChannel in = FileChannel.open(block.file(), Immutable.setOf(READ, NOFOLLOW_LINKS));
        FileCopy out = FileCopy.create(copy)) {
      if (!out.fill(in, block.stamp(), pace.partBytes(), this::await)) {
        throw new IOException(block.file() + " became shorter");
      }
    }
  }

  private void await(long bytes) throws IOException {
    try {
      pace.await(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("this process ends", e);
    }
  }

  /** Gives back what it claimed. */
  @Override
  public void close() {
    below.close();
  }
}
