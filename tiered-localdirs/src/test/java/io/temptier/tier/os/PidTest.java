// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each way tells what the tests' Java tells itself. */
class PidTest {
  @Test
  void tellsThatOfThisProcess(@TempDir Path empty) throws Exception {
    long pid = ProcessHandle.current().pid();
    assertEquals(pid, Pid.self());
    assertEquals(pid, Pid.ofHandle());
    assertEquals(pid, Pid.ofKernel(Path.of("/proc/self")));
    assertEquals(pid, Pid.ofKernel(empty.resolve("self")), "by the JVM's name");
  }

  @Test
  void tellsThatOfAChild() throws Exception {
    Process child = new ProcessBuilder("cat").start();
    try {
      assertEquals(child.pid(), Pid.of(child));
      assertEquals(child.pid(), Pid.ofField(child));
    } finally {
      child.destroyForcibly().waitFor();
    }
  }
}
