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
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir private Path folder;

  @Test
  void takesThePlaceOfWhatWasThereAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("report");
    WholeFile.write(file, "old");
    WholeFile.write(file, "new");
    assertEquals("new", Files.readString(file));
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(List.of(file), all.toList());
    }
  }

  @Test
  void aFolderThatIsNotThereIsAFailure() {
    Path file = folder.resolve("none/report");
    CommandFailure e = assertThrows(CommandFailure.class, () -> WholeFile.write(file, "text"));
    assertEquals(0, String.valueOf(e.getMessage()).indexOf("cannot write " + file));
  }
}
