// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one dir below its high mark: once that is reached, moves cold outputs out of it until the
 * low mark is ({@link DemotionOrder}). While others take the tier's reserve, outputs that are not
 * cold go, too, until the dir is below the high mark: YARN drops a dir that is too full. All go
 * while the operator has the dir drained. For one thread.
 */
final class DirDrain {
  /** An output that could not be moved is left alone for a while, so that others get their turn. */
  private static final long RETRY_NANOS = Duration.ofMinutes(5).toNanos();

  private static final long FAILED_REST_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long LONGEST_REST_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long WAITING_REST_NANOS = Duration.ofSeconds(1).toNanos();

  /** An output becomes cold in a minute, and a dir may be above its mark for hours. */
  private static final long IN_USE_REST_NANOS = Duration.ofSeconds(2).toNanos();

  /** A file that outgrew its claim takes the reserve for a shorter time. */
  private static final long NEED_NANOS = Duration.ofSeconds(5).toNanos();

  /** Looking through folders for nothing costs at most a twentieth of a core. */
  private static final int REST_FACTOR = 20;

  /** A command line holds so many with ease. */
  private static final int BATCH_FILES = 256;

  private static final DemotionSettings.Marks EMPTY = DemotionSettings.Marks.of(0, true, 0, true);

  private final LocalDir dir;
  private final FillGauge gauge;
  private final DemotionSettings.Marks marks;

  /**
   * Moves one output, or many of one application of another user's, and deals with whatever
   * happens. Takes from the batch what was moved, which it tells, and what has no room below now.
   */
  private final BiFunction<List<Candidate>, Consumer<Candidate>, MoveResult> way;

  private final int ownUid;
  private final OutputScanner scanner;
  private final Predicate<Candidate> cold;
  private final Map<MapOutputId, Long> retryNanos = new HashMap<>();
  private boolean draining;
  private boolean waiting;
  private boolean inUse;
  private @Nullable Long reserveTakenNanos;
  private long notBeforeNanos = System.nanoTime();

  /** {@code cold} tells whether an output may move for the sake of its room. */
  DirDrain(
      LocalDir dir,
      FillGauge gauge,
      DemotionSettings.Marks marks,
      BiFunction<List<Candidate>, Consumer<Candidate>, MoveResult> way,
      int ownUid,
      OutputScanner scanner,
      Predicate<Candidate> cold) {
    this.dir = dir;
    this.gauge = gauge;
    this.marks = marks;
    this.way = way;
    this.ownUid = ownUid;
    this.scanner = scanner;
    this.cold = cold;
  }

  /**
   * Moves what is to be moved now.
   *
   * @param users of the running applications
   * @throws IOException when the dir cannot be read
   */
  void round(Map<String, String> users) throws IOException {
    if (System.nanoTime() - notBeforeNanos < 0) {
      return;
    }
    FillGauge.Fill fill = gauge.read();
    boolean all = NodeMarker.draining(dir.path());
    if (!all && !fill.showsMoves()) {
      // It still counts what is gone.
      return;
    }
    DemotionSettings.Marks watermarks = all ? EMPTY : marks.at(fill.spillFraction());
    if (!fill.reserveTaken()) {
      reserveTakenNanos = null;
    } else if (reserveTakenNanos == null) {
      reserveTakenNanos = System.nanoTime();
    }
    draining =
        fill.fraction() >= watermarks.high() || (draining && fill.fraction() > watermarks.low());
    if (!draining) {
      return;
    }
    retryNanos.keySet().removeIf(id -> !users.containsKey(id.application()));
    long began = System.nanoTime();
    waiting = false;
    boolean need = all || (reserveTakenNanos != null && began - reserveTakenNanos >= NEED_NANOS);
    List<Candidate> found = scanner.scan(dir, users);
    found.sort(DemotionOrder.COLDEST_FIRST);
    if (!drain(found, fill, watermarks, need)) {
      long rest =
          Math.max(REST_FACTOR * (System.nanoTime() - began), inUse ? IN_USE_REST_NANOS : 0);
      // Who moves a user's outputs is there in a second, and does not wait for long.
      rest(waiting ? Math.min(rest, WAITING_REST_NANOS) : rest);
    }
  }

  /**
   * Moves cold candidates until the low mark is reached, and with {@code need} others until the
   * high one is; false when nothing could be moved.
   */
  private boolean drain(
      List<Candidate> coldestFirst,
      FillGauge.Fill fill,
      DemotionSettings.Marks watermarks,
      boolean need)
      throws IOException {
    List<Candidate> candidates = new ArrayList<>();
    List<Candidate> hot = new ArrayList<>();
    coldestFirst.forEach(each -> (cold.test(each) ? candidates : hot).add(each));
    int colds = candidates.size();
    if (need) {
      candidates.addAll(hot);
    }
    inUse = !need && !hot.isEmpty();
    long freed = 0;
    long tooLarge = Long.MAX_VALUE;
    Set<Candidate> tried = new HashSet<>();
    for (int i = 0; i < candidates.size(); i++) {
      long left = left(fill, freed, i < colds ? watermarks.low() : watermarks.high());
      if (left <= 0) {
        return true;
      }
      List<Candidate> next = candidates.subList(i, i < colds ? colds : candidates.size());
      List<Candidate> batch = batch(next, tried, Math.min(left, UserBatches.MOST_BYTES), tooLarge);
      if (batch.isEmpty()) {
        continue;
      }
      tried.addAll(batch);
      List<Candidate> moved = new ArrayList<>();
      MoveResult result = way.apply(batch, moved::add);
      for (Candidate each : moved) {
        freed += each.stamp().bytes();
        gauge.moved();
      }
      switch (result) {
        case MOVED:
        case GIVEN_UP:
          batch.forEach(each -> retryNanos.put(each.id(), System.nanoTime()));
          break;
        case FAILED:
          batch.forEach(each -> retryNanos.put(each.id(), System.nanoTime()));
          failed();
          return true;
        case NOT_YET:
          waiting = true;
          break;
        case NO_ROOM:
          tooLarge = next.get(0).stamp().bytes() / 2;
          break;
        case BUSY:
          return freed > 0;
      }
      if (Thread.currentThread().isInterrupted()) {
        return true;
      }
    }
    return freed > 0;
  }

  /**
   * The first output, unless it is not to move now, and where another user's process moves it
   * others of its application.
   */
  private List<Candidate> batch(
      List<Candidate> inOrder, Set<Candidate> tried, long bytes, long tooLarge) {
    Candidate first = inOrder.get(0);
    List<Candidate> batch = new ArrayList<>();
    long sum = 0;
    for (Candidate each : inOrder) {
      boolean same = each.id().application().equals(first.id().application());
      boolean fits = batch.isEmpty() || sum + each.stamp().bytes() <= bytes;
      // One large output, or one that only looks so, is not to keep the others here.
      if (same
          && fits
          && each.stamp().bytes() < tooLarge
          && !tried.contains(each)
          && !waits(each.id())
          && scanner.complete(each)) {
        batch.add(each);
        sum += each.stamp().bytes();
      }
      if (batch.isEmpty() || first.stamp().uid() == ownUid || batch.size() == BATCH_FILES) {
        break;
      }
    }
    return batch;
  }

  /**
   * Bytes that are still to go: what was too much at first less what was moved, for a file system
   * may free it later; and no more than what is too much now, for others free room too.
   */
  private long left(FillGauge.Fill fill, long freed, double low) throws IOException {
    long ofFileSystem = fill.bytesAbove(low) - freed;
    if (ofFileSystem > 0) {
      ofFileSystem = Math.min(ofFileSystem, gauge.read().bytesAbove(low));
    }
    return Math.max(ofFileSystem, fill.capBytesAbove(low) - freed);
  }

  private boolean waits(MapOutputId id) {
    Long since = retryNanos.get(id);
    return since != null && System.nanoTime() - since < RETRY_NANOS;
  }

  void failed() {
    rest(FAILED_REST_NANOS);
  }

  private void rest(long nanos) {
    notBeforeNanos = System.nanoTime() + Math.min(nanos, LONGEST_REST_NANOS);
  }
}
