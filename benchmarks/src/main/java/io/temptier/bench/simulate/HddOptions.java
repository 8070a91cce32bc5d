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
package io.temptier.bench.simulate;

import io.temptier.bench.testbed.SlowDiskOptions;
import io.temptier.cli.Terminal;
import io.temptier.tier.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin of the options that say what a node's HDDs can do. */
@Command
public final class HddOptions {
  @Mixin private final SlowDiskOptions speed = new SlowDiskOptions();

  @Option(
      names = "--hdds",
      paramLabel = "N",
      defaultValue = "3",
      description = "HDDs of a node (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--slow-readahead",
      paramLabel = "SIZE",
      defaultValue = "128k",
      description = "The kernel's readahead on each (default: ${DEFAULT-VALUE}).")
  private String readAhead = "";

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      defaultValue = "TEMPTIER",
      description =
          "Whose shuffle handler reads map outputs: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private HddModel.Handler handler = HddModel.Handler.TEMPTIER;

  @Option(
      names = "--page-cache",
      paramLabel = "SIZE",
      defaultValue = "0",
      description =
          "Memory of a node that holds what was written last; reading that costs no disk anything"
              + " (default: ${DEFAULT-VALUE}).")
  private String cache = "";

  /** Creates the mixin; picocli fills it in. */
  public HddOptions() {}

  HddModel model(Terminal terminal) {
    terminal.atLeastOne("--hdds", count);
    return new HddModel(
        count,
        speed.speed(terminal),
        terminal.size("--slow-readahead", readAhead),
        handler,
        terminal.parse("--page-cache", cache, Sizes::parse));
  }
}
