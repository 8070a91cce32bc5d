// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.bench.testbed.SlowDiskOptions;
import io.temptier.cli.Terminal;
import io.temptier.tier.Sizes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin with what makes an emulated node. */
@Command
final class NodeOptions {
  private static final int HDDS = 3;

  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();
  @Mixin private final MemoryOption memory = new MemoryOption();

  @Mixin private final ProfileOption profile = new ProfileOption();

  @Option(
      names = "--hdds",
      paramLabel = "N",
      description = "Slow disks (default: 3, or those of the profile).")
  private @Nullable Integer hdds;

  @Option(
      names = "--hdd-size",
      paramLabel = "SIZE",
      defaultValue = "1536m",
      description = "Size of each slow disk (default: ${DEFAULT-VALUE}).")
  private String hddSize = "";

  @Option(
      names = "--fast-size",
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "Size of the fast disk (default: ${DEFAULT-VALUE}).")
  private String fastSize = "";

  /** Creates the mixin; picocli fills it in. */
  NodeOptions() {}

  /** The published node that was asked for, if any. */
  Optional<NodeProfile> profile(Terminal terminal) {
    return profile.profile(terminal);
  }

  /** The node; says that the command line is wrong if there is none such. */
  NodeSpec spec(Terminal terminal) {
    try {
      int profileHdds = profile.profile(terminal).map(NodeProfile::hdds).orElse(HDDS);
      return new NodeSpec(
          hdds != null ? hdds : profileHdds,
          slowDisk.speed(terminal),
          Sizes.parse(hddSize),
          Sizes.parse(fastSize),
          memory.bytes(terminal));
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }
}
