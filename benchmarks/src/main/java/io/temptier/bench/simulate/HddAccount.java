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
package io.temptier.bench.simulate;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Adds up the work of HDDs, by minutes and nodes, in each size of the fast disk. */
final class HddAccount {
  private static final int DIGITS = 3;
  private static final double PER_MILLE = 1000;

  private final double[] millis;
  private final List<Histogram> loads = new ArrayList<>();
  private final double minuteMillis;

  /**
   * Nothing yet.
   *
   * @param sizes how many are compared
   * @param minuteMillis what the HDDs of a node can do in a minute
   */
  HddAccount(int sizes, double minuteMillis) {
    this.millis = new double[sizes];
    this.minuteMillis = minuteMillis;
    for (int size = 0; size < sizes; size++) {
      loads.add(new Histogram(DIGITS));
    }
  }

  /** Takes over a node's work of the last minute. */
  void sample(Node node) {
    for (int size = 0; size < millis.length; size++) {
      double work = node.takeHddMillis(size);
      millis[size] += work;
      loads.get(size).recordValue(Math.round(PER_MILLE * work / minuteMillis));
    }
  }

  HddLoad load(int size) {
    return new HddLoad(millis[size] / 1e3, loads.get(size).getValueAtPercentile(95) / PER_MILLE);
  }
}
