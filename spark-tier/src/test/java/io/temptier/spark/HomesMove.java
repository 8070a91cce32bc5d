// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.fixtures.Trees;
import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A home moves to the fast disk while it is empty, and goes back with a file. */
final class HomesMove extends SparkFiles {
  private static final String FILE = "shuffle_9_9_0.data";

  private @Nullable BlockHomes homes;

  /** A power cut takes it, and so all that was done on this disk: nobody flushes it. */
  private final Path begun;

  private Path registered = Path.of("");
  private int index;
  private boolean written;

  /** It fails each call, so that nothing in it can be listed. */
  private boolean fastFails;

  HomesMove(Disks disks) {
    super(disks);
    begun = disks.slow().resolve("begun");
  }

  @Override
  public void start() throws Exception {
    Tiers all = new Tiers(disks.fast(), disks.slow(), LocalDir.NO_CAP, false);
    tiers = all;
    List<LocalDir> dirOf =
        List.of(all.manager.localDirs()).stream()
            .map(home -> all.tiers.layout().dirOf(home.toPath()).orElseThrow())
            .toList();
    index = dirOf.get(0).path().equals(disks.slow()) ? 0 : 1;
    registered = all.manager.localDirs()[index].toPath();
    homes =
        new BlockHomes(all.manager, dirOf) {
          @Override
          boolean takesLinks(Path folder) {
            return super.takesLinks(folder) && !written;
          }
        };
  }

  @Override
  public void act() throws IOException {
    Files.createFile(begun);
    try {
      moveAndLeave(Objects.requireNonNull(homes));
    } finally {
      fastFails = fails(disks.fast());
      homeFails = fails(disks.slow());
    }
  }

  private void moveAndLeave(BlockHomes moving) throws IOException {
    moving.moveTo(Objects.requireNonNull(tiers).tiers.layout().tiers().get(0).dirs());
    Path folder = Files.createDirectories(registered.resolve("0a"));
    Files.writeString(folder.resolve(FILE), FILE);
    written = true;
    if (!moving.leave(index, new IOException("It takes no links")) && !Files.exists(registered)) {
      throw new IOException("not at home");
    }
  }

  @Override
  public void check(Ending ending, Invariants found) throws IOException {
    // Who tries again takes it away.
    found.allow(path -> path.endsWith(".temptier-probe"));
    if (ending.killed() || homeFails) {
      // It goes with the application.
      found.allow(path -> path.toString().contains("temptier-"));
      found.allow(path -> path.toString().contains(BlockFolders.HOME));
    }
    for (Path path : Trees.below(disks.slow())) {
      String name = path.getFileName().toString();
      if (name.startsWith(BlockFolders.HOME) && disks.slow().equals(path.getParent())) {
        registered = path;
      }
    }
    boolean acted = written || (ending.killed() && Files.exists(begun));
    for (Path path : Trees.below(disks.fast())) {
      // Whatever happens, it is found where others look for it; or computed again where its disk
      // cannot even be listed.
      if (path.endsWith(FILE) && acted && !fastFails) {
        Path there = registered.resolve("0a").resolve(FILE);
        if (Files.size(path) > 0
            && !(Files.exists(there) && Files.readString(there).equals(FILE))) {
          found.problem("LOST " + there);
        }
      }
    }
    if (written && !fastFails && !Files.exists(registered.resolve("0a").resolve(FILE))) {
      found.problem("LOST " + registered);
    }
  }

  @Override
  public void end() {
    if (homes != null) {
      homes.delete();
    }
    super.end();
  }
}
