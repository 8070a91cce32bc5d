// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.cli.CommandProvider;
import java.util.List;

/** Adds {@code bench} to the command line. */
public final class BenchCommands implements CommandProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public BenchCommands() {}

  @Override
  public List<Object> commands() {
    return List.of(new BenchCommand());
  }
}
