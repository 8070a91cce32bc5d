// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.util.List;

/** A command that another module puts below {@code s3a}. */
public final class ProbeBelowS3aProvider implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new ProbeCommandProvider.Probe());
  }

  @Override
  public String parent() {
    return "s3a";
  }
}
