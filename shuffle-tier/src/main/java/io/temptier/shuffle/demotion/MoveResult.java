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

/** What became of a move. Whatever it is, the output can be read as before. */
enum MoveResult {
  /** The data lies below, a link in its old place. */
  MOVED,
  /** No slower tier has room above its reserve. */
  NO_ROOM,
  /** The slower device is busy with shuffle reads, or rests after an error. */
  BUSY,
  /** The application ended, the output changed, or demotion is being stopped. */
  GIVEN_UP,
  /** An error. */
  FAILED
}
