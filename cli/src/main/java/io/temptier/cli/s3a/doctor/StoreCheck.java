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
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import java.io.IOException;
import java.util.List;

/** One thing that only the store can tell. Stateless. */
interface StoreCheck {
  /** Under which heading its findings are printed. */
  Topic topic();

  /** What is asked, in a few words, for a person who waits. */
  String question();

  /** Whether it writes, be it below the scratch prefix only. */
  default boolean writes() {
    return true;
  }

  /** Whether nothing after it can succeed when it does not. */
  default boolean decides() {
    return false;
  }

  /**
   * Asks.
   *
   * @return what there is to say; empty when all is well
   * @throws IOException when the store refuses what S3A needs of it; {@link Symptom} explains it
   */
  List<Finding> check(Visit visit) throws IOException;
}
