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

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine.Help.Ansi;

/**
 * What one run of the command line gave.
 *
 * @param code its exit code
 * @param out what it printed as its result
 * @param err what it printed about itself
 */
public record Run(int code, String out, String err) {
  static {
    Logging.configure(false);
  }

  /** Runs {@code temptier args} without colours. */
  public static Run of(String... args) {
    return of(Ansi.OFF, args);
  }

  /** Runs {@code temptier args}. */
  public static Run of(Ansi ansi, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), ansi, args);
    return new Run(code, out.toString(), err.toString());
  }
}
