// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Daemons of Ceph that work in a folder, as the kernel shows them: Ceph's programs whose
 * configuration file, named in their arguments, lies below that folder.
 */
public final class CephProcess {
  private static final Set<String> PROGRAMS = Set.of("ceph-mon", "ceph-osd", "radosgw");
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  private CephProcess() {}

  /** Returns the processes that work in {@code home}, an absolute path. */
  public static List<ProcessHandle> at(Path home) {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(process -> worksIn(process.info(), home)).toList();
    }
  }

  private static boolean worksIn(ProcessHandle.Info process, Path home) {
    String program =
        process.command().map(at -> String.valueOf(Path.of(at).getFileName())).orElse("");
    return PROGRAMS.contains(program)
        && Stream.of(process.arguments().orElse(new String[0]))
            .anyMatch(argument -> argument.startsWith(home + "/"));
  }

  /** Ends those that work in {@code home}, without grace: their data goes too. */
  static void endAll(Path home) throws IOException {
    Await.until(
        "Ceph's daemons in " + home + " to end",
        DEADLINE,
        () -> {
          List<ProcessHandle> left = at(home);
          left.forEach(ProcessHandle::destroyForcibly);
          return left.isEmpty();
        });
  }
}
