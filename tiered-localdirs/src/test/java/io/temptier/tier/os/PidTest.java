// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Each way tells what the tests' Java tells itself. */
class PidTest {
  @Test
  void tellsThatOfThisProcess() {
    assertEquals(ProcessHandle.current().pid(), Pid.self());
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
