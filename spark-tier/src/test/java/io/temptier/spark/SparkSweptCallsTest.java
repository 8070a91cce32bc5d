// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.fixtures.Needs.NeedsCompiler;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.fixtures.sweep.Sweep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever call fails, whoever dies, stops or loses power: no byte is lost, nothing is left. */
@NeedsCompiler
class SparkSweptCallsTest {
  private static final List<Class<? extends Protocol>> PROTOCOLS = List.of(SparkFiles.class);

  @Test
  void invariantsHoldAtEachCall(@TempDir Path folder) throws IOException {
    Sweep.run(folder, PROTOCOLS);
  }
}
