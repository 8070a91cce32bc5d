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
package io.temptier.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.CommandProvider;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HelpTextsTest {
  /** Such as of a per cent sign that it takes for a format: picocli warns on standard error. */
  @Test
  void noneIsPrintedWithAWarning() {
    List<String> shown = new ArrayList<>();
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
    try {
      for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
        provider.commands().forEach(command -> show(new CommandLine(command), shown));
      }
    } finally {
      System.setErr(err);
    }
    assertTrue(shown.size() > 10, shown::toString);
    assertEquals("", warnings.toString(StandardCharsets.UTF_8));
  }

  private static void show(CommandLine command, List<String> shown) {
    shown.add(command.getCommandName());
    assertTrue(command.getUsageMessage().contains("Usage: "), command::getCommandName);
    command.getSubcommands().values().forEach(below -> show(below, shown));
  }
}
