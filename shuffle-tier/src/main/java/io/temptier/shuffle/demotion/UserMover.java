// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.Launch;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves outputs of other users, as under the Linux container executor, by a process that runs as
 * the user ({@link MoveBatch}). Here it is only decided what goes where; the NodeManager itself
 * touches nothing in the user's folders. What the process does to the user's own files is the
 * user's affair, and what is there afterwards counts.
 *
 * <p>Room is claimed by the NodeManager, for all of a batch until its end. Safe for use by many
 * threads.
 */
final class UserMover extends Mover {
  private static final Logger LOG = LoggerFactory.getLogger(UserMover.class);

  private final UserBatches batches;
  private final Launch java;
  private final MoveContext context;

  UserMover(UserBatches batches, Launch java, MoveContext context) {
    this.batches = batches;
    this.java = java;
    this.context = context;
  }

  /**
   * Removes what a batch that was killed left of an application in a dir, by one that moves
   * nothing.
   *
   * @return how much was removed; negative when something is left
   */
  int clean(LocalDir dir, String user, String application, MoveControl control) throws IOException {
    int uid = context.uid(dir, user);
    int before = uid == context.ownUid ? 0 : Leftovers.count(dir, user, application, uid);
    if (before == 0) {
      return 0;
    }
    ApplicationUser owner = ApplicationUser.find(dir, user, application);
    LocalDir slowest = context.dirs.get(context.dirs.size() - 1);
    if (batches.rests(owner)) {
      return -1;
    }
    try {
      batches.run(
          owner, java, MoveBatch.task(context, Immutable.mapOf()), dir, slowest, 0, control);
    } catch (MoveStoppedException e) {
      return -1;
    }
    return Leftovers.count(dir, user, application, uid) == 0 ? before : -1;
  }

  @Override
  Path grows(Candidate candidate, LocalDir target) {
    MapOutputId id = candidate.id();
    return UserBatches.growing(target, id.application() + "." + id.attempt());
  }

  @Override
  void run(
      Map<Candidate, LocalDir> targets, MoveControl control, BiConsumer<Candidate, LocalDir> moved)
      throws IOException {
    Map.Entry<Candidate, LocalDir> first = targets.entrySet().iterator().next();
    MapOutputId id = first.getKey().id();
    LocalDir from = first.getKey().dir();
    ApplicationUser owner = ApplicationUser.find(from, id.user(), id.application());
    if (batches.rests(owner)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, owner + " is left alone");
    }
    List<Candidate> there = new ArrayList<>();
    batches.move(
        owner,
        java,
        MoveBatch.task(context, targets),
        from,
        first.getValue(),
        targets.keySet().stream().mapToLong(each -> each.stamp().bytes()).sum(),
        control,
        () -> {
          targets.forEach(
              (candidate, target) -> {
                if (isThere(candidate, target)) {
                  there.add(candidate);
                  moved.accept(candidate, target);
                }
              });
          return !there.isEmpty();
        });
    if (there.size() < targets.size()) {
      control.left();
    }
  }

  /**
   * True if the name is a link to the copy, and the copy a file of that size. An output that cannot
   * be looked at, as its disk failed, was not moved.
   */
  private static boolean isThere(Candidate candidate, LocalDir target) {
    int uid = candidate.stamp().uid();
    Path relative = candidate.id().relativePath();
    try (@Nullable OwnFolder names =
            OwnFolder.open(candidate.dir().path(), relative, uid).orElse(null);
        @Nullable OwnFolder copies = OwnFolder.open(target.path(), relative, uid).orElse(null)) {
      return names != null
          && copies != null
          && names.look(MapOutputId.DATA).filter(BasicFileAttributes::isSymbolicLink).isPresent()
          && Files.readSymbolicLink(candidate.file()).equals(candidate.fileIn(target))
          && copies
              .look(MapOutputId.DATA)
              .filter(file -> file.isRegularFile() && file.size() == candidate.stamp().bytes())
              .isPresent();
    } catch (IOException e) {
      LOG.debug("{} is not known to be moved to {}", candidate, target, e);
      return false;
    }
  }
}
