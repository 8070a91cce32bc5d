// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Order of demotion: decides which outputs may move, and which go first. Pure. */
public final class DemotionOrder {
  /** A share that makes an output cold at once: stragglers alone still fetch from it. */
  private static final double NEARLY_ALL = 0.9;

  static final Comparator<Candidate> COLDEST_FIRST =
      DemotionOrder.<Candidate, FileTime>coldestFirst(
              Candidate::fetched, candidate -> candidate.stamp().modified())
          // So that the order does not hang on that of a folder's entries.
          .thenComparing(Candidate::file);

  private DemotionOrder() {}

  /**
   * The order, for whatever tells these two things.
   *
   * @param fetched the share of an output's partitions that were fetched, 0 to 1; what is no share
   *     counts as 0
   * @param written when it was written
   */
  public static <T, U extends Comparable<? super U>> Comparator<T> coldestFirst(
      ToDoubleFunction<T> fetched, Function<T, U> written) {
    return Comparator.<T>comparingDouble(output -> share(fetched.applyAsDouble(output)))
        .reversed()
        .thenComparing(written);
  }

  /**
   * True if an output may move for the sake of its room.
   *
   * @param fetched the share of its partitions that were fetched, 0 to 1
   * @param idleNanos since it was written or fetched from
   * @param coldAfterNanos of an output that is not fetched
   */
  public static boolean cold(double fetched, long idleNanos, long coldAfterNanos) {
    return share(fetched) >= NEARLY_ALL || idleNanos >= coldAfterNanos;
  }

  private static double share(double fetched) {
    return fetched > 0 ? Math.min(fetched, 1) : 0;
  }
}
