// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion.asuser;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.demotion.MoveStoppedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a process as a user does not begin. */
class BatchProcessTest {
  @TempDir Path temp;

  private BatchProcess begin(long parent) throws IOException {
    Path leftover = Files.createFile(temp.resolve("leftover"));
    String[] arguments = {
      leftover.toString(),
      Long.toString(parent),
      "ann",
      "application_1_0001",
      "1024",
      temp.toString()
    };
    try {
      return new BatchProcess(BatchProcessTest.class, arguments);
    } finally {
      assertFalse(Files.exists(leftover));
    }
  }

  private static long parent() {
    return ProcessHandle.current().parent().orElseThrow().pid();
  }

  @Test
  void withoutItsNodeManagerItDoesNothing() throws IOException {
    assertThrows(MoveStoppedException.class, () -> begin(1L << 40));
    begin(parent()).check();
  }

  /** Such as one that outlived its NodeManager. */
  @Test
  void besideAnotherOneOfTheApplicationItDoesNothing() throws Exception {
    Process other =
        new ProcessBuilder(
                "sh",
                "-c",
                "read x",
                BatchProcessTest.class.getName(),
                "application_1_0001",
                "1024",
                temp.toString())
            .start();
    try {
      IOException refused = assertThrows(IOException.class, () -> begin(parent()));
      assertTrue(refused.toString().contains("/" + other.pid() + " "), refused::toString);
    } finally {
      other.destroyForcibly().waitFor();
    }
    begin(parent());
  }
}
