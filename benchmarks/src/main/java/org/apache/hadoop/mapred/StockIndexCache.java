/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Hadoop's {@code IndexCache}, which is not public, for benchmarks to compare with. */
public final class StockIndexCache {
  private final IndexCache cache;

  /** An empty one. */
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

  /** Forgets an attempt's index. */
  public void forget(String attempt) {
    cache.removeMap(attempt);
  }
}
