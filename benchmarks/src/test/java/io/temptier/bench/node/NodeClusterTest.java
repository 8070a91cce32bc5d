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
package io.temptier.bench.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeClusterTest {
  @ParameterizedTest
  @CsvSource({"128, 100", "64, 50", "32, 25", "9, 10", "1, 10", "256, 100"})
  void smallerBlocksHaveSmallerSortBuffers(int blockMiB, int sortMiB) {
    assertEquals(sortMiB, NodeCluster.sortMiB((long) blockMiB << 20));
  }
}
