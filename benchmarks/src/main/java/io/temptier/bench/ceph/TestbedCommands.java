// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import io.temptier.cli.CommandProvider;
import java.util.List;

/** Adds {@code testbed} to {@code temptier s3a}. */
public final class TestbedCommands implements CommandProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public TestbedCommands() {}

  @Override
  public String parent() {
    return "s3a";
  }

  @Override
  public List<Object> commands() {
    return List.of(new TestbedCommand());
  }
}
