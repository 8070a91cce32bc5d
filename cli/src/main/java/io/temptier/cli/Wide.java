// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import picocli.CommandLine.Option;

/** Mixin with the option {@code --wide}. */
public final class Wide {
  @Option(
      names = "--wide",
      description =
          "Show all columns of tables, however long lines become; without it they fit 80.")
  private boolean wide;

  /** How long a line may be. */
  public int width() {
    return wide ? Integer.MAX_VALUE : Table.WIDTH;
  }
}
