// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has Spark's blocks of other users moved by a process of the user ({@link BlockBatch}), which
 * chooses them. Here it is only decided how much goes where, and looked at what has gone there.
 * Follows no link. For one thread.
 */
public final class UserBlocks implements ColdBlocks.AsUser {
  private final UserBatches batches;
  private final Function<String, MoveControl> controls;
  private final BiConsumer<PlacementRequest, Placement> moved;

  public UserBlocks(
      UserBatches batches,
      Function<String, MoveControl> controls,
      BiConsumer<PlacementRequest, Placement> moved) {
    this.batches = batches;
    this.controls = controls;
    this.moved = moved;
  }

  @Override
  public long move(ColdBlocks.Blocks blocks, LocalDir from, long bytes, Placer below)
      throws IOException {
    String application = blocks.application();
    String user = from.path().relativize(blocks.folder(from)).getName(1).toString();
    ApplicationUser who = ApplicationUser.find(from, user, application);
    long wanted = batches.rests(who) ? 0 : oldest(who, from, bytes);
    if (wanted == 0) {
      return 0;
    }
    Optional<Placer.Placed> claimed =
        FileMover.claim(
            below,
            below.request("blocks", wanted, application),
            dir -> {
              blocks.folder(dir);
              return UserBatches.growing(dir, application);
            });
    if (!claimed.isPresent()) {
      return 0;
    }
    Placement placement = claimed.get().placement();
    LocalDir to = placement.dir();
    AtomicLong gone = new AtomicLong();
    try {
      Set<Path> before = copies(blocks, who, to).keySet();
      batches.move(
          who,
          BlockBatch.LAUNCH,
          BlockBatch.task(wanted, to, Immutable.listFrom(blocks.folders().keySet())),
          from,
          to,
          wanted,
          controls.apply(application),
          () -> {
            Map<Path, Long> now = copies(blocks, who, to);
            now.keySet().removeAll(before);
            now.forEach(
                (copy, size) -> {
                  gone.addAndGet(size);
                  String path = to.path().relativize(copy).toString();
                  moved.accept(below.request(path, size, application), placement);
                });
            return !now.isEmpty();
          });
    } catch (MoveStoppedException e) {
      // What is there counts.
    } finally {
      below.settle(claimed.get().file(), gone.get());
    }
    return gone.get();
  }

  /** Bytes of the oldest that may be blocks, as many as are to go, and as a batch takes. */
  private static long oldest(ApplicationUser who, LocalDir from, long bytes) throws IOException {
    List<BasicFileAttributes> files = new ArrayList<>();
    each(
        who,
        from,
        (path, name, file) -> {
          if (file.size() >= CompleteBlock.SMALLEST_BYTES && BlockFolders.mayBeBlock(name)) {
            files.add(file);
          }
        });
    files.sort(Comparator.comparing(BasicFileAttributes::lastModifiedTime));
    long sum = 0;
    for (BasicFileAttributes file : files) {
      if (sum >= bytes || (sum > 0 && sum + file.size() > UserBatches.MOST_BYTES)) {
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
            if (FileMover.leads(application.resolve(below), path)) {
              copies.put(path, file.size());
            }
          }
        });
    return copies;
  }

  @FunctionalInterface
  private interface Visit {
    void of(Path path, String block, BasicFileAttributes file) throws IOException;
  }

  /** Visits the regular files in an application's homes and their annexes in a dir. */
  private static void each(ApplicationUser who, LocalDir dir, Visit visit) throws IOException {
    Path relative = LocalDir.application(who.user(), who.application());
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
