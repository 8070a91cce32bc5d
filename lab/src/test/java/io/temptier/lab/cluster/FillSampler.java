// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Samples how far a file system is filled, 0 to 1, as YARN's disk check sees it. */
final class FillSampler extends Sampler {
  private static final long PERIOD_MILLIS = 50;

  private final FileStore store;
  private volatile double highest;

  FillSampler(Path dir) throws IOException {
    super("fill-sampler", PERIOD_MILLIS);
    this.store = Files.getFileStore(dir);
    start();
  }

  double now() throws IOException {
    return 1 - (double) store.getUsableSpace() / totalBytes();
  }

  long totalBytes() throws IOException {
    return store.getTotalSpace();
  }

  double highest() {
    return highest;
  }

  @Override
  protected void look() throws IOException {
    highest = Math.max(highest, now());
  }
}
