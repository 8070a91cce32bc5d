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
package io.temptier.cli.probe;

import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A dir, what it is called, and what it can do.
 *
 * @param path the dir
 * @param tag the medium its user calls it, or empty
 * @param kernel the medium the kernel knows
 * @param why how the kernel's was found
 * @param profile what was measured
 */
record ProbedDir(
    Path path, Optional<Medium> tag, Medium kernel, String why, DeviceProfile profile) {
  /** What it passes for: its tag, else what the kernel says. */
  Medium medium() {
    return tag.orElse(kernel);
  }
}
