// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.fixtures.GoldenFile;
import java.io.IOException;

/** Compares what a command prints with what is kept in {@code src/test/resources/golden}. */
public final class Golden {
  private Golden() {}

  public static void assertMatches(String name, String actual) throws IOException {
    GoldenFile.check("cli/src/test/resources/golden/" + name, actual, Golden.class);
  }
}
