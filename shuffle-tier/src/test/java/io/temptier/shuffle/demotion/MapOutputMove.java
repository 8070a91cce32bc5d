// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.DirectoryUsage;
import io.temptier.tier.room.PublishedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A map output moves from NVMe to a disk, in this process. */
class MapOutputMove implements Protocol {
  static final MapOutputId ID = TestNode.id(1);

  static final long BYTES = 20_000;

  final TestNode node;
  final LocalDir fast;
  final LocalDir slow;
  private @Nullable Placer below;
  private @Nullable Moves moves;
  private @Nullable MoveContext context;
  private @Nullable Mover mover;
  @Nullable MoveResult result;

  /** Something may be left, said the move. */
  private boolean again;

  MapOutputMove(Disks disks) {
    node = new TestNode(disks.fast());
    fast = dir(disks.fast().resolve("nvme"), Medium.NVME);
    slow = dir(disks.slow().resolve("disk"), Medium.DISK);
    node.users.put(TestNode.APP, TestNode.USER);
  }

  private LocalDir dir(Path path, Medium medium) {
    LocalDir dir = LocalDir.of(path, medium, LocalDir.NO_CAP, "test");
    node.dirs.add(dir);
    return dir;
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    for (LocalDir dir : node.dirs) {
      Files.createDirectories(TestNode.application(dir, TestNode.APP));
      Path claims = Files.createDirectories(NodeMarker.claims(dir.path()));
      Files.setAttribute(claims, "unix:mode", 01777);
      // Whoever places asks no process for them.
      PublishedState.of(System.currentTimeMillis(), DirectoryUsage.Usage.UNKNOWN, 0, 0)
          .write(dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
    }
    Path file = node.file(fast, ID);
    Files.createDirectories(file.getParent());
    Files.write(file, TestOutputs.data(ID, BYTES));
    Files.write(file.resolveSibling(MapOutputId.INDEX), new byte[40]);
    Files.setAttribute(file, "unix:mode", 0640);
    Files.setAttribute(file.getParent(), "unix:mode", 02750);
    // Tasks may be about to use it.
    Path outputs = slow.path().resolve(MapOutputId.outputs(TestNode.USER, TestNode.APP));
    found.allow(outputs::equals);
    found.keep(file);
    found.keep(file.resolveSibling(MapOutputId.INDEX));
  }

  @Override
  public void start() throws IOException {
    context = context();
    Mover ofNode = mover(context);
    mover = ofNode;
    below = node.placer(slow::equals);
    moves =
        new Moves(
            node.tiers().settings(),
            context,
            node,
            new DemotionTally(),
            candidate -> ofNode,
            application -> again = true,
            Demoter.STALL,
            System::nanoTime);
  }

  MoveContext context() throws IOException {
    return node.context();
  }

  Mover mover(MoveContext with) {
    return new OutputMover(with);
  }

  final void sweepEnded(LocalDir dir) {
    if (mover instanceof OutputMover outputMover) {
      outputMover.sweepEnded(dir);
    }
  }

  @Override
  public void act() throws IOException {
    result = move(node.candidate(fast, ID));
  }

  final MoveResult move(Candidate candidate) {
    return move(new ArrayList<>(List.of(candidate)), each -> {});
  }

  final MoveResult move(List<Candidate> batch, Consumer<Candidate> moved) {
    return Objects.requireNonNull(moves)
        .run(batch, Objects.requireNonNull(below), node.gate(), moved);
  }

  @Override
  public void others() throws IOException {
    clean();
  }

  void clean() throws IOException {
    MoveContext same = context == null ? context() : context;
    // It tells path caches of copies that it deletes, which is no move.
    Leftovers leftovers = new Leftovers(same, id -> {});
    for (LocalDir dir : node.dirs) {
      leftovers.remove(dir, TestNode.USER, TestNode.APP);
    }
  }

  @Override
  public void recover(Ending ending) throws IOException {
    if (ending.killed() || again) {
      clean();
    }
    end();
    for (LocalDir dir : node.dirs) {
      // As whoever places next.
      new Claims(NodeMarker.claims(dir.path()), System::currentTimeMillis)
          .ofLiving(1L << 30, false);
    }
  }

  @Override
  public void check(Ending ending, Invariants found) throws IOException {
    if (!ending.killed()) {
      boolean moved = result == MoveResult.MOVED;
      if (!ending.hindered() && !moved) {
        found.problem("NOT DONE, " + result);
      }
      found.reported(moved, node.file(slow, ID));
      Path folder = Objects.requireNonNull(node.file(slow, ID).getParent());
      if (moved && FileStamp.of(folder).permissions() != 02750) {
        found.problem("MODE " + FileStamp.of(folder) + " of " + folder);
      }
      if (moved != node.moved.contains(ID)) {
        found.problem("path caches " + node.moved + " after " + result);
      }
    }
  }

  @Override
  public void end() {
    if (below != null) {
      below.close();
    }
  }
}
