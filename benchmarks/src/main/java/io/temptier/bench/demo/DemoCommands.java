// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.cli.CommandProvider;
import java.util.List;

/** Adds {@code demo} to the command line. */
public final class DemoCommands implements CommandProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public DemoCommands() {}

  @Override
  public List<Object> commands() {
    return List.of(new DemoCommand());
  }
}
