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
package io.temptier.shuffle.demotion;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which outputs to move first: those that every reducer has fetched, which are read again only if
 * one of them is re-run, then those fetched furthest, then the oldest. Pure.
 */
final class DemotionOrder {
  private static final Comparator<Candidate> COLDEST_FIRST =
      Comparator.comparingDouble(DemotionOrder::fetched)
          .reversed()
          .thenComparing(candidate -> candidate.stamp().modified())
          // So that the order does not hang on that of a folder's entries.
          .thenComparing(Candidate::file);

  private DemotionOrder() {}

  /** The candidates in the order to move them. */
  static List<Candidate> coldestFirst(Collection<Candidate> candidates) {
    return candidates.stream().sorted(COLDEST_FIRST).toList();
  }

  /** What is no share counts as not fetched. */
  private static double fetched(Candidate candidate) {
    double share = candidate.fetched();
    return share > 0 ? Math.min(share, 1) : 0;
  }
}
