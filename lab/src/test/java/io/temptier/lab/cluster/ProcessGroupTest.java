// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessGroupTest {
  private final ProcessBuilder sleep = new ProcessBuilder("sleep", "600");

  @Test
  void noDaemonRunsOnceAllAreEnded(@TempDir Path dir) throws IOException {
    ProcessGroup group = new ProcessGroup();
    Daemon daemon = group.start("sleeper", sleep, dir.resolve("log"));
    group.end();
    assertFalse(daemon.alive());
    assertThrows(IOException.class, () -> group.start("late", sleep, dir.resolve("late")));
  }
}
