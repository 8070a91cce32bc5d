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

import java.io.IOException;

/** The steps of a move, in their order. After any of them the process may be killed. */
enum MoveStep {
  /** The folders for the copy exist. */
  FOLDERS_MADE,
  /** An empty file of a temporary name is there. */
  COPY_STARTED,
  /** A part of the data is in it; reached many times. */
  PART_COPIED,
  /** All data, owner, mode and times are in it and on the disk. */
  COPIED,
  /** It has its final name. */
  COPY_NAMED,
  /** A link of a temporary name lies beside the fast file. */
  LINKED,
  /** The link has taken the fast file's place. */
  REPLACED,
  /** A link beside one in a faster dir leads to the copy, too; reached where there is one. */
  UPPER_LINKED;

  /** Told of each step. A test stops the world here. */
  @FunctionalInterface
  interface Observer {
    void reached(MoveStep step) throws IOException;
  }
}
