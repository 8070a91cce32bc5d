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
package io.temptier.cli.explain;

import io.temptier.tier.Medium;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code explain} has to say.
 *
 * @param question what was asked
 * @param files one explanation for each file
 */
record Answer(Question question, List<Explanation> files) {
  /**
   * Sums of one tier.
   *
   * @param files how many
   * @param bytes their sizes
   */
  record Sum(long files, long bytes) {}

  /** Sums of the files that are there, by tier. */
  Map<Medium, Sum> sums() {
    Map<Medium, Sum> sums = new EnumMap<>(Medium.class);
    for (Explanation file : files) {
      Optional.ofNullable(file.dir())
          .filter(dir -> file.exists())
          .ifPresent(
              dir ->
                  sums.merge(
                      dir.medium(),
                      new Sum(1, file.bytes()),
                      (a, b) -> new Sum(a.files() + b.files(), a.bytes() + b.bytes())));
    }
    return sums;
  }
}
