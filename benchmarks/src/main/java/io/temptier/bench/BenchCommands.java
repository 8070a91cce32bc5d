// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.bench.demo.DemoCommand;
import io.temptier.cli.CommandProvider;
import java.util.List;

/** Adds {@code demo} and {@code bench} to the command line. */
public final class BenchCommands implements CommandProvider {

  @Override
  public List<Object> commands() {
    return List.of(new DemoCommand(), new BenchCommand());
  }
}
