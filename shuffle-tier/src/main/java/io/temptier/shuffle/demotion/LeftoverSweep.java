// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that what an earlier process left of moves is removed: each dir is looked through once
 * for each application, and again where something is left. Safe for use by many threads, one for
 * each dir.
 */
final class LeftoverSweep {
  private static final Logger LOG = LoggerFactory.getLogger(LeftoverSweep.class);

  private final Map<LocalDir, CleanupSchedule> lookedThrough;
  private final Leftovers own;
  private final ForeignOutputs foreign;
  private final DemotionTally tally;

  /**
   * Nothing is looked through yet.
   *
   * @param dirs of the node
   * @param own removes what is left of this process's user's
   * @param foreign sees to that of others
   * @param clockNanos tells the time
   */
  LeftoverSweep(
      List<LocalDir> dirs,
      Leftovers own,
      ForeignOutputs foreign,
      DemotionTally tally,
      LongSupplier clockNanos) {
    this.lookedThrough =
        dirs.stream()
            .collect(Immutable.toMap(Function.identity(), dir -> new CleanupSchedule(clockNanos)));
    this.own = own;
    this.foreign = foreign;
    this.tally = tally;
  }

  /**
   * Looks through a dir, for the applications for which that was not done.
   *
   * @param users of the applications that run, by their id
   * @param stopped whether to stop, asked before each application
   */
  void round(LocalDir dir, Map<String, String> users, BooleanSupplier stopped) {
    CleanupSchedule looked = of(dir);
    looked.retain(users.keySet());
    foreign.retain(users);
    users.forEach(
        (application, user) -> {
          if (!stopped.getAsBoolean() && looked.begin(application)) {
            lookThrough(looked, dir, user, application);
          }
        });
  }

  private void lookThrough(CleanupSchedule looked, LocalDir dir, String user, String application) {
    try {
      tally.add(DemotionCounter.LEFTOVERS_REMOVED, own.remove(dir, user, application));
      switch (foreign.lookThrough(dir, user, application)) {
        case SOON:
          looked.again(application);
          break;
        case LATER:
          looked.unanswered(application);
          break;
        case DONE:
          break;
      }
    } catch (OtherDirs.NoAnswerException e) {
      LOG.debug("{} is looked through again in {}", application, dir, e);
      looked.unanswered(application);
    } catch (IOException | RuntimeException e) {
      tally.add(DemotionCounter.DEMOTION_FAILURES, 1);
      LOG.warn(
          "Cannot remove all that demotion left of {} in {}; it goes with the application",
          application,
          dir,
          e);
    }
  }

  /** Something may be left of an output, in whatever dir: it is looked for soon. */
  void again(MapOutputId id) {
    lookedThrough.values().forEach(looked -> looked.again(id.application()));
  }

  /** A dir did not say what it has of an output: it is looked through again in a while. */
  void unanswered(LocalDir dir, MapOutputId id) {
    of(dir).unanswered(id.application());
  }

  private CleanupSchedule of(LocalDir dir) {
    return Objects.requireNonNull(lookedThrough.get(dir));
  }
}
