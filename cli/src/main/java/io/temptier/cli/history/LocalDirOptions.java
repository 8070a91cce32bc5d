// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.ConfDir;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Rollout;
import io.temptier.hadoop.conf.TierConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin with the local dirs of this node. */
public final class LocalDirOptions {
  @Mixin private final ConfDir conf = new ConfDir();

  @Option(
      names = "--dir",
      paramLabel = "ROOT",
      converter = Terminal.LocalDirConverter.class,
      description = "A local dir, in place of those of yarn-site.xml. May be repeated.")
  private List<Path> dirs = new ArrayList<>();

  public boolean given() {
    return !dirs.isEmpty() || conf.given().isPresent();
  }

  /**
   * The local dirs that were named, by the default of {@code --conf-dir} too where it may; empty
   * when they were not.
   */
  public Optional<List<Path>> dirs(Terminal terminal, boolean byDefault) {
    if (!dirs.isEmpty()) {
      dirs.forEach(dir -> terminal.readable("--dir", dir));
      return Optional.of(dirs);
    }
    return (byDefault ? conf.find() : conf.given()).map(dir -> ofConfiguration(terminal, dir));
  }

  private static List<Path> ofConfiguration(Terminal terminal, Path conf) {
    terminal.readable("--conf-dir", conf);
    Rollout rollout = Rollout.readOrFail(conf);
    if (!rollout.file(Rollout.YARN_SITE).isPresent()) {
      throw terminal.wrongUse("--conf-dir " + conf + " holds no yarn-site.xml.");
    }
    return TierConfig.localDirs(rollout.node());
  }
}
