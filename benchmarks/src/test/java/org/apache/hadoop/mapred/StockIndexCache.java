// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Hadoop's {@code IndexCache}, which is not public, for benchmarks to compare with. */
public final class StockIndexCache {
  private final IndexCache cache;

  public StockIndexCache(JobConf conf) {
    this.cache = new IndexCache(conf);
  }

  /**
   * Looks a partition up; reads the index if it is not known.
   *
   * @param attempt the map attempt
   * @param index its index
   * @param user who must own that
   * @throws IOException when it cannot be read
   */
  public IndexRecord find(String attempt, int partition, Path index, String user)
      throws IOException {
    return cache.getIndexInformation(attempt, partition, index, user);
  }

  public void forget(String attempt) {
    cache.removeMap(attempt);
  }
}
