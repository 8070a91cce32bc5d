// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import io.temptier.hook.HookFileSystem;
import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementRequest;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;

/**
 * Counts a task's files by medium where MapReduce and Tez look for counters by themselves: in the
 * statistics of file systems. A job shows them among its <i>File System Counters</i>, for example
 * {@code TEMPTIER-NVME: Number of write operations}, which are files, and {@code Number of bytes
 * written}.
 *
 * <p>A file counts by the size that its writer told before it wrote; one of unknown size counts
 * when it is complete, which a short task may not live to see. Safe for use by many threads.
 */
public final class TaskCounters implements PlacementListener {
  /** The scheme of the files that a faster tier refused, wherever they went. */
  public static final String SPILLED_DOWN = HookFileSystem.SCHEME + "-spilled-down";

  /** The scheme that stands for a medium. No underscore: job counters split their names there. */
  public static String scheme(Medium medium) {
    return HookFileSystem.SCHEME + "-" + medium.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    count(placement, 1, request.sizeKnown() ? request.bytes() : 0);
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    if (!request.sizeKnown()) {
      count(placement, 0, bytes);
    }
  }

  private static void count(Placement placement, int files, long bytes) {
    count(scheme(placement.dir().medium()), files, bytes);
    if (placement.spilledDown()) {
      count(SPILLED_DOWN, files, bytes);
    }
  }

  private static void count(String scheme, int files, long bytes) {
    FileSystem.Statistics statistics = FileSystem.getStatistics(scheme, HookFileSystem.class);
    statistics.incrementWriteOps(files);
    statistics.incrementBytesWritten(bytes);
  }
}
