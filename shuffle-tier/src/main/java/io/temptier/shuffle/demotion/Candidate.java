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
import io.temptier.tier.LocalDir;
import java.nio.file.Path;

/**
 * A map output that could be moved.
 *
 * @param id which
 * @param dir where it lies
 * @param stamp its data file, when it was found
 * @param fetched the share of its partitions that were fetched, 0 to 1
 */
record Candidate(MapOutputId id, LocalDir dir, FileStamp stamp, double fetched) {
  /** Its folder. */
  Path folder() {
    return dir.path().resolve(id.relativePath());
  }

  /** Its data. */
  Path file() {
    return folder().resolve(MapOutputId.DATA);
  }
}
