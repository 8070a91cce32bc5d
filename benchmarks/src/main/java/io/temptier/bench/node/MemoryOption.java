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
package io.temptier.bench.node;

import io.temptier.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin with the option that bounds an emulated node's memory. */
@Command
public final class MemoryOption {
  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description =
          "What the node's processes may use of memory, page cache included (default:"
              + " ${DEFAULT-VALUE}).")
  private String memory = "";

  /** Creates the mixin; picocli fills it in. */
  public MemoryOption() {}

  /** The bound; says that the command line is wrong if it is none. */
  public long bytes(Terminal terminal) {
    return terminal.size("--memory", memory);
  }
}
