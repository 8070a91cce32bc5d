// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import io.temptier.fixtures.NeedsSlowDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

final class NodeTestbedCommandTest {
  @TempDir private Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void withoutATestbedStatusFailsAndDownHasNothingToDo() {
    assertEquals(1, run("status", "--dir=" + dir));
    assertEquals(0, run("down", "--dir=" + dir));
    assertTrue(out.toString().contains("No testbed is in " + dir), out.toString());
  }

  @Test
  @NeedsSlowDisk
  void upMakesDisksThatStayUntilDown() throws IOException {
    String[] up = {"up", "--dir=" + dir, "--hdds=2", "--hdd-size=16m", "--fast-size=16m"};
    try {
      assertEquals(0, run(up), err::toString);
      Path home = dir.toRealPath().resolve("temptier-node-testbed");
      for (String disk : new String[] {"nvme0", "hdd0", "hdd1"}) {
        FileStore store = Files.getFileStore(home.resolve(disk));
        assertEquals("ext4", store.type(), disk);
      }
      assertEquals(0, run("status", "--dir=" + dir));
      assertFalse(out.toString().contains("NOT MOUNTED"), out.toString());
      assertEquals(1, run(up), "a second one at the same place");
      assertTrue(err.toString().contains("a testbed is in " + home), err.toString());
      assertEquals(0, run("status", "--dir=" + dir), "the first is still there");
    } finally {
      assertEquals(0, run("down", "--dir=" + dir), err::toString);
    }
    try (var left = Files.list(dir)) {
      assertEquals(0, left.count());
    }
    assertFalse(Files.readString(Path.of("/proc/self/mountinfo")).contains(dir.toString()));
  }

  private int run(String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "bench";
    all[1] = "testbed";
    System.arraycopy(args, 0, all, 2, args.length);
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, all);
  }
}
