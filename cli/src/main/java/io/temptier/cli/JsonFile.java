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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with the option {@code --json FILE}. */
public final class JsonFile {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write the result as JSON; - writes it to standard output, in place of the text.")
  private @Nullable String file;

  /** Creates the mixin; picocli fills it in. */
  public JsonFile() {}

  /** Whether JSON was asked for. */
  public boolean wanted() {
    return file != null;
  }

  /**
   * Where the text for people goes: standard output, or nowhere when the JSON goes there.
   *
   * @param terminal the command's terminal
   */
  public PrintWriter textOf(Terminal terminal) {
    return "-".equals(file) ? new PrintWriter(Writer.nullWriter()) : terminal.out();
  }

  /**
   * Writes the result if it was asked for. A file appears whole or not at all.
   *
   * @param result the result
   * @param terminal the command's terminal
   * @throws CommandFailure when the file cannot be written
   */
  public void write(JsonNode result, Terminal terminal) {
    if (file == null) {
      return;
    }
    String text = format(result);
    if (file.equals("-")) {
      terminal.out().println(text);
      terminal.out().flush();
      return;
    }
    Path target = Path.of(file).toAbsolutePath();
    try {
      publish(target, text + System.lineSeparator());
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + e, e);
    }
  }

  private static String format(JsonNode result) {
    try {
      return MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of nodes can always be written", e);
    }
  }

  private static void publish(Path target, String text) throws IOException {
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A device or a pipe, such as /dev/stdout: it must not be replaced by a file.
      Files.writeString(target, text);
      return;
    }
    Path dir = target.getParent() == null ? target : target.getParent();
    // Not createTempFile: its 0600 would stay, where the user's umask should decide.
    Path temp = dir.resolve("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.writeString(temp, text);
      Files.move(temp, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temp);
    }
  }
}
