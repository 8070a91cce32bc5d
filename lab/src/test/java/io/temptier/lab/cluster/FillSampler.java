// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Samples how far a file system is filled, as YARN's disk check sees it. */
final class FillSampler extends Sampler {
  private static final long PERIOD_MILLIS = 50;

  private final FileStore store;
  private final double mark;
  private int samples;
  private int above;
  private double highest;

  /**
   * Starts to sample.
   *
   * @param mark samples at or above it are counted, 0 to 1
   */
  FillSampler(Path dir, double mark) throws IOException {
    super("fill-sampler", PERIOD_MILLIS);
    this.store = Files.getFileStore(dir);
    this.mark = mark;
    start();
  }

  /** The share that is filled now. */
  double now() throws IOException {
    return 1 - (double) store.getUsableSpace() / store.getTotalSpace();
  }

  /** The size of the file system. */
  long totalBytes() throws IOException {
    return store.getTotalSpace();
  }

  /** The highest sample so far. */
  synchronized double highest() {
    return highest;
  }

  @Override
  protected void look() throws IOException {
    double fill = now();
    synchronized (this) {
      samples++;
      above += fill >= mark ? 1 : 0;
      highest = Math.max(highest, fill);
    }
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "highest %.1f %%, at or above %.0f %% in %d of %d samples",
        highest * 100,
        mark * 100,
        above,
        samples);
  }
}
