// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.cli.Terminal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin with the option that names a published node. */
@Command
public final class ProfileOption {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = {
        "A published node, by its tasks for each HDD: twitter-like (3.33: 10 tasks at once on 3"
            + " HDDs) or",
        "intel-lab-like (14: 14 tasks at once on 1 HDD)."
      })
  private @Nullable String profile;

  /** Creates the mixin; picocli fills it in. */
  public ProfileOption() {}

  /**
   * The profile, if one was asked for; says that the command line is wrong if there is none such.
   */
  public Optional<NodeProfile> profile(Terminal terminal) {
    if (profile == null) {
      return Optional.empty();
    }
    Optional<NodeProfile> known = NodeProfile.of(profile);
    if (known.isEmpty()) {
      throw terminal.wrongUse("--profile=" + profile + " is none of " + NodeProfile.labels());
    }
    return known;
  }
}
