// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.DiskSpeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin of the options that say how slow an emulated disk is. */
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

  /** The speed; says that the command line is wrong if there is none. */
  public DiskSpeed speed(Terminal terminal) {
    terminal.atLeastOne("--slow-mbps", slowMbps);
    terminal.atLeastOne("--slow-iops", slowIops);
    return new DiskSpeed(slowMbps, slowIops);
  }
}
