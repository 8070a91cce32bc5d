// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import io.temptier.hook.HookFileSystem;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
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
  /** Keys of Hadoop's statistics, which it knows by class, and by scheme only beside it. */
  private abstract static class OnRamDisk extends FileSystem {}

  private abstract static class OnNvdimm extends FileSystem {}

  private abstract static class OnNvme extends FileSystem {}

  private abstract static class OnSsd extends FileSystem {}

  private abstract static class OnDisk extends FileSystem {}

  private abstract static class OnRemote extends FileSystem {}

  private abstract static class SpilledDown extends FileSystem {}

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
    Medium medium = placement.dir().medium();
    count(medium.name(), token(medium), files, bytes);
    if (placement.spilledDown()) {
      // The files that a faster tier refused, wherever they went.
      count("SPILLED_DOWN", SpilledDown.class, files, bytes);
    }
  }

  private static Class<? extends FileSystem> token(Medium medium) {
    switch (medium) {
      case RAM_DISK:
        return OnRamDisk.class;
      case NVDIMM:
        return OnNvdimm.class;
      case NVME:
        return OnNvme.class;
      case SSD:
        return OnSsd.class;
      case DISK:
        return OnDisk.class;
      case REMOTE:
        return OnRemote.class;
      default:
        throw new AssertionError(medium);
    }
  }

  private static void count(String name, Class<? extends FileSystem> token, int files, long bytes) {
    // No underscore: job counters split their names there.
    String scheme = HookFileSystem.SCHEME + "-" + name.toLowerCase(Locale.ROOT).replace('_', '-');
    FileSystem.Statistics statistics = FileSystem.getStatistics(scheme, token);
    statistics.incrementWriteOps(files);
    statistics.incrementBytesWritten(bytes);
  }
}
