// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion.asuser;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has Spark's blocks of other users moved by a process of the user ({@link BlockBatch}), which
 * chooses them. Here it is only decided how much goes where, and looked at what has gone there.
 * Follows no link. For one thread.
 */
public final class UserBlocks implements ColdBlocks.AsUser {
  private static final long BATCH_BYTES = 256L << 20;

  /** A process is not worth its start for less. */
  private static final long SMALLEST_BYTES = 16 << 10;

  private final UserBatches batches;
  private final Launch java;
  private final Function<String, MoveControl> controls;
  private final BiConsumer<PlacementRequest, Placement> moved;

  /**
   * Moves by {@link BlockBatch}.
   *
   * @param controls for each application
   * @param moved told of each block
   */
  public UserBlocks(
      UserBatches batches,
      Function<String, MoveControl> controls,
      BiConsumer<PlacementRequest, Placement> moved) {
    this(batches, BlockBatch.LAUNCH, controls, moved);
  }

  UserBlocks(
      UserBatches batches,
      Launch java,
      Function<String, MoveControl> controls,
      BiConsumer<PlacementRequest, Placement> moved) {
    this.batches = batches;
    this.java = java;
    this.controls = controls;
    this.moved = moved;
  }

  @Override
  public long move(ColdBlocks.Blocks blocks, LocalDir from, long bytes, Placer below)
      throws IOException {
    Path folder = Objects.requireNonNull(blocks.folders().get(from));
    Path home = Objects.requireNonNull(Objects.requireNonNull(folder.getParent()).getParent());
    ApplicationUser who =
        ApplicationUser.of(
            blocks.application(),
            String.valueOf(home.getFileName()),
            Files.getOwner(home, NOFOLLOW_LINKS).getName(),
            ProcessTable.uidOf(home));
    long wanted = batches.rests(who) ? 0 : oldest(who, from, bytes);
    if (wanted == 0) {
      return 0;
    }
    Optional<Placer.Placed> claimed =
        FileMover.claim(
            below,
            below.request("blocks", wanted, who.application()),
            dir -> UserBatches.growing(requireFolder(blocks, dir), who.application()));
    if (!claimed.isPresent()) {
      return 0;
    }
    Placement placement = claimed.get().placement();
    LocalDir to = placement.dir();
    long gone = 0;
    try {
      Map<Path, Long> before = copies(blocks, who, to);
      String ended = "";
      try {
        List<LocalDir> dirs = Immutable.listFrom(blocks.folders().keySet());
        MoveControl control = controls.apply(who.application());
        ended =
            batches.run(who, java, BlockBatch.task(wanted, to, dirs), from, to, wanted, control);
      } catch (MoveStoppedException e) {
        // What is there counts.
        ended = "";
      }
      for (Map.Entry<Path, Long> copy : copies(blocks, who, to).entrySet()) {
        if (!before.containsKey(copy.getKey())) {
          gone += copy.getValue();
          String path = to.path().relativize(copy.getKey()).toString();
          moved.accept(below.request(path, copy.getValue(), who.application()), placement);
        }
      }
      if (gone > 0) {
        batches.moved(who);
      } else if (!ended.isEmpty()) {
        batches.movedNothing(who, ended);
      }
      return gone;
    } finally {
      below.settle(claimed.get().file(), gone);
    }
  }

  private static LocalDir requireFolder(ColdBlocks.Blocks blocks, LocalDir dir)
      throws Placer.PathRefusedException {
    if (!blocks.folders().containsKey(dir)) {
      throw new Placer.PathRefusedException(
          new IOException(blocks.application() + " has no folder in " + dir));
    }
    return dir;
  }

  /** Bytes of the oldest that may be blocks, as many as are to go, and as a batch takes. */
  private static long oldest(ApplicationUser who, LocalDir from, long bytes) throws IOException {
    List<BasicFileAttributes> files = new ArrayList<>();
    each(
        who,
        from,
        (path, name, file) -> {
          FileKind kind = FileKind.of(name);
          if (file.size() >= SMALLEST_BYTES
              && (kind == FileKind.CACHED_BLOCK
                  || (kind == FileKind.MAP_OUTPUT && name.endsWith(".data")))) {
            files.add(file);
          }
        });
    files.sort(Comparator.comparing(BasicFileAttributes::lastModifiedTime));
    long sum = 0;
    for (BasicFileAttributes file : files) {
      if (sum >= bytes || (sum > 0 && sum + file.size() > BATCH_BYTES)) {
        break;
      }
      sum += file.size();
    }
    return sum;
  }

  /** Copies in a dir that a block's name is a link to, with their sizes. */
  private static Map<Path, Long> copies(ColdBlocks.Blocks blocks, ApplicationUser who, LocalDir dir)
      throws IOException {
    Map<Path, Long> copies = new HashMap<>();
    each(
        who,
        dir,
        (path, name, file) -> {
          Path sub = Objects.requireNonNull(path.getParent());
          Path annex = Objects.requireNonNull(sub.getParent());
          String folder = String.valueOf(annex.getFileName());
          if (!BlockFolders.isAnnex(folder)) {
            return;
          }
          Path below =
              Paths.get(BlockFolders.homeOf(folder)).resolve(sub.getFileName()).resolve(name);
          for (Path application : blocks.folders().values()) {
            if (leads(application.resolve(below), path)) {
              copies.put(path, file.size());
            }
          }
        });
    return copies;
  }

  private static boolean leads(Path name, Path copy) {
    try {
      return Files.isSymbolicLink(name) && Files.readSymbolicLink(name).equals(copy);
    } catch (IOException e) {
      return false;
    }
  }

  @FunctionalInterface
  private interface Visit {
    /**
     * Visits a file.
     *
     * @param name of the block
     */
    void of(Path path, String name, BasicFileAttributes file);
  }

  /** Visits the regular files in an application's homes and their annexes in a dir. */
  private static void each(ApplicationUser who, LocalDir dir, Visit visit) throws IOException {
    Path relative = ApplicationUser.folder(who.user(), who.application());
    try (@Nullable OwnFolder application =
        OwnFolder.open(dir.path(), relative, who.uid()).orElse(null)) {
      if (application == null) {
        return;
      }
      for (String home : application.names("")) {
        if (!home.startsWith(BlockFolders.HOME) && !BlockFolders.isAnnex(home)) {
          continue;
        }
        try (@Nullable OwnFolder files = application.child(home).orElse(null)) {
          if (files != null) {
            for (String sub : files.names("")) {
              try (@Nullable OwnFolder blocks = files.child(sub).orElse(null)) {
                visit(blocks, BlockFolders.isAnnex(home), visit);
              }
            }
          }
        }
      }
    }
  }

  private static void visit(@Nullable OwnFolder folder, boolean annex, Visit visit)
      throws IOException {
    if (folder == null) {
      return;
    }
    for (String name : folder.names("")) {
      Optional<BasicFileAttributes> file =
          folder.look(name).filter(BasicFileAttributes::isRegularFile);
      if (file.isPresent()) {
        String block = annex ? BlockFolders.withoutUnique(name) : name;
        visit.of(folder.path().resolve(name), block, file.get());
      }
    }
  }
}
