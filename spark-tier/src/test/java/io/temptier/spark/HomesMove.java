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
  private Path registered = Path.of("");
  private int index;
  private boolean written;

  HomesMove(Disks disks) {
    super(disks);
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
    BlockHomes moving = Objects.requireNonNull(homes);
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
    if (ending.killed()) {
      found.allow(path -> path.toString().contains("temptier-"));
    }
    for (Path path : Trees.below(disks.slow())) {
      String name = path.getFileName().toString();
      if (name.startsWith(BlockFolders.HOME) && disks.slow().equals(path.getParent())) {
        registered = path;
      }
    }
    for (Path path : Trees.below(disks.fast())) {
      // Whatever happens, it is found where others look for it.
      if (path.endsWith(FILE) && (written || ending.killed())) {
        Path there = registered.resolve("0a").resolve(FILE);
        if (Files.size(path) > 0
            && !(Files.exists(there) && Files.readString(there).equals(FILE))) {
          found.problem("LOST " + there);
        }
      }
    }
    if (written && !Files.exists(registered.resolve("0a").resolve(FILE))) {
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
