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
package io.temptier.bench.shuffle;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job's map outputs.
 *
 * @param job whose they are
 * @param fast those on the fast disk
 * @param slow those on the slow disk, or null when there is none
 */
record JobOutputs(BenchJob job, MapOutputs fast, @Nullable MapOutputs slow) {
  /** Every file of them. */
  List<Path> files() {
    return Stream.concat(fast.files().stream(), slow == null ? Stream.of() : slow.files().stream())
        .toList();
  }
}
