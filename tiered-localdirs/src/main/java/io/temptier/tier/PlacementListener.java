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
package io.temptier.tier;

/**
 * Hears of placements: metrics, job counters and the journal listen. Called on the writer's thread;
 * must not block.
 */
public interface PlacementListener {
  /** A dir was chosen for a file. */
  default void placed(PlacementRequest request, Placement placement) {}

  /**
   * A placed file is complete, or its growth has stopped.
   *
   * @param bytes its real size, or the last size seen
   */
  default void settled(PlacementRequest request, Placement placement, long bytes) {}

  /** A dir failed and was set aside for a while. */
  default void dirFailed(LocalDir dir, String error) {}
}
