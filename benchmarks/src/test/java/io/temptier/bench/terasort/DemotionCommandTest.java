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
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class DemotionCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--rounds=0, --rounds=0 is less than 1",
    "--rows=-1, --rows=-1 is less than 1",
    "--slow-mbps=0, --slow-mbps=0 is less than 1",
    "--rows=x, 'x' is not a long",
    "--arms=temptier, '--arms=temptier is none of demotion-off, demotion-on'"
  })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "demotion", option));
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void helpNamesTheOptions() {
    assertEquals(0, run("bench", "demotion", "--help"));
    for (String option : new String[] {"--rounds", "--rows", "--slow-mbps", "--json"}) {
      assertTrue(out.toString().contains(option), out.toString());
    }
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
