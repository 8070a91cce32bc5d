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
package io.temptier.bench.testbed;

import io.temptier.cli.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin of the options that say how slow an emulated or modelled disk is. */
@Command
public final class SlowDiskOptions {
  @Option(
      names = "--slow-mbps",
      paramLabel = "N",
      defaultValue = "30",
      description = "MB/s of a slow disk (default: ${DEFAULT-VALUE}).")
  private int slowMbps;

  @Option(
      names = "--slow-iops",
      paramLabel = "N",
      defaultValue = "40",
      description = "Requests per second of a slow disk (default: ${DEFAULT-VALUE}).")
  private int slowIops;

  /** Creates the mixin; picocli fills it in. */
  public SlowDiskOptions() {}

  /** The speed; says that the command line is wrong if there is none. */
  public DiskSpeed speed(Terminal terminal) {
    terminal.atLeastOne("--slow-mbps", slowMbps);
    terminal.atLeastOne("--slow-iops", slowIops);
    return new DiskSpeed(slowMbps, slowIops);
  }
}
