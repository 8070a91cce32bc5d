// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;

/** How fast one stream writes and reads a file, with parts as they are set. */
final class BandwidthCheck {
  private static final int CHUNK = 1 << 20;

  private BandwidthCheck() {}

  /** Measures by so many bytes, which it writes and reads again. */
  static List<Finding> check(StoreSession session, long bytes) throws IOException {
    BucketSettings settings = session.settings();
    Path file = session.scratch("bandwidth");
    byte[] chunk = new byte[CHUNK];
    // What does not compress on its way.
    new SplittableRandom(1).nextBytes(chunk);
    try (FileSystem fs = session.with(Map.of(S3aKey.PART_SIZE, settings.value(S3aKey.PART_SIZE)))) {
      long begin = System.nanoTime();
      try (FSDataOutputStream out = fs.create(file, true)) {
        for (long left = bytes; left > 0; left -= CHUNK) {
          out.write(chunk, 0, (int) Math.min(CHUNK, left));
        }
      }
      long written = System.nanoTime();
      try (FSDataInputStream in =
          FutureIO.awaitFuture(
              fs.openFile(file).opt("fs.option.openfile.read.policy", "whole-file").build())) {
        for (long left = bytes; left > 0; left -= CHUNK) {
          in.readFully(chunk, 0, (int) Math.min(CHUNK, left));
        }
      }
      long read = System.nanoTime();
      return List.of(
          Finding.info(
              "bandwidth",
              "%s written at %s/s, read at %s/s"
                  .formatted(
                      Sizes.format(bytes),
                      Sizes.format(perSecond(bytes, written - begin)),
                      Sizes.format(perSecond(bytes, read - written))),
              "measured by one stream",
              "What one stream of a task gets at most. The store may have read it from memory.",
              "Compare with the network and the disks, and with several gateways."));
    }
  }

  private static long perSecond(long bytes, long nanos) {
    return (long) (bytes * 1e9 / Math.max(1, nanos));
  }
}
