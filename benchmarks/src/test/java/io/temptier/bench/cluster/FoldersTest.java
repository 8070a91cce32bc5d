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
package io.temptier.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FoldersTest {
  @TempDir private Path dir;

  @Test
  void countsFilesAndNoLinks() throws IOException {
    Path fast = Files.createDirectories(dir.resolve("fast/a/b"));
    Path slow = Files.write(dir.resolve("slow"), new byte[1000]);
    Files.write(fast.resolve("file"), new byte[10]);
    Files.createSymbolicLink(fast.resolve("link"), slow);
    assertEquals(10, Folders.bytes(dir.resolve("fast")));
    assertEquals(0, Folders.bytes(dir.resolve("gone")));
  }
}
