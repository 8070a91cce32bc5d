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

import io.temptier.shuffle.MapOutputId;

/** Hears of map outputs whose place changed. Called on the demotion thread; must not block. */
@FunctionalInterface
public interface MoveListener {
  /**
   * An output lies elsewhere now. The path it was found at still leads to its data, at the speed of
   * the slower device, except after the clean-up of a move that a crash cut short: then one of two
   * equal copies is gone.
   */
  void moved(MapOutputId id);
}
