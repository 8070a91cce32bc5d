// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.lang.BoundedMap;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What files of unknown size turned out to be, by group: files of one kind that alike tasks write,
 * such as the outputs of a stage. The size expected of the next file is what nine of ten of the
 * last {@link #SAMPLES} did not exceed. A file that becomes larger claims more while it grows.
 *
 * <p>Safe for use by many threads; does no I/O.
 */
public final class LearnedSizes implements PlacementListener {
  /** So many of a group's last files are remembered. */
  private static final int SAMPLES = 32;

  /** The first files to end are often the small ones. */
  private static final int LEAST_SAMPLES = 3;

  private static final double QUANTILE = 0.9;

  /** More groups are not written at a time. */
  private static final int MOST_GROUPS = 256;

  private static final class Sizes {
    final long[] last = new long[SAMPLES];
    long count;

    void add(long bytes) {
      last[(int) (count++ % SAMPLES)] = bytes;
    }

    long quantile() {
      int samples = (int) Math.min(count, SAMPLES);
      long[] sorted = Arrays.copyOf(last, samples);
      Arrays.sort(sorted);
      return sorted[(int) Math.ceil(samples * QUANTILE) - 1];
    }
  }

  private final long mostBytes;
  private final Map<Long, String> writing = new ConcurrentHashMap<>();

  /** The group that was used longest ago comes first. Guarded by itself. */
  private final Map<String, Sizes> groups = BoundedMap.ofLastUsed(MOST_GROUPS);

  /** Knows nothing yet; will expect {@code mostBytes} at most. */
  public LearnedSizes(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** What to expect of the next file of a group, in bytes; 0 while too little is known. */
  public long expected(String group) {
    synchronized (groups) {
      Sizes sizes = groups.get(group);
      return sizes == null || sizes.count < LEAST_SAMPLES
          ? 0
          : Math.min(mostBytes, sizes.quantile());
    }
  }

  /** A file of a group was placed by this request; what settles it is to follow. */
  public void placed(PlacementRequest request, String group) {
    writing.put(request.ticket(), group);
  }

  /** The file of a request is complete. An empty one tells nothing: its writer may have failed. */
  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    String group = writing.remove(request.ticket());
    if (group != null && bytes > 0) {
      synchronized (groups) {
        groups.computeIfAbsent(group, any -> new Sizes()).add(bytes);
      }
    }
  }
}
