// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A daemon of Ceph that works in a folder, as the kernel shows it: one of Ceph's programs whose
 * configuration file, named in its arguments, lies below that folder.
 *
 * @param name such as {@code ceph-osd 0}
 */
public record CephProcess(ProcessHandle handle, String name) {
  private static final Set<String> PROGRAMS = Set.of("ceph-mon", "ceph-osd", "radosgw");
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /** Those that work in {@code home}, an absolute path, in the order of their names. */
  public static List<CephProcess> at(Path home) {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.flatMap(handle -> at(handle, home))
          .sorted(Comparator.comparing(CephProcess::name))
          .toList();
    }
  }

  private static Stream<CephProcess> at(ProcessHandle handle, Path home) {
    ProcessHandle.Info info = handle.info();
    String program = info.command().map(at -> String.valueOf(Path.of(at).getFileName())).orElse("");
    List<String> arguments = List.of(info.arguments().orElse(new String[0]));
    boolean there = arguments.stream().anyMatch(argument -> argument.startsWith(home + "/"));
    return PROGRAMS.contains(program) && there
        ? Stream.of(new CephProcess(handle, program + " " + id(arguments)))
        : Stream.empty();
  }

  private static String id(List<String> arguments) {
    int at = Math.max(arguments.indexOf("-i"), arguments.indexOf("-n"));
    return at < 0 || at + 1 == arguments.size() ? "" : arguments.get(at + 1);
  }

  /** Ends those that work in {@code home}, without grace: their data goes too. */
  static void endAll(Path home) throws IOException {
    Await.until(
        "Ceph's daemons in " + home + " to end",
        DEADLINE,
        () -> {
          List<CephProcess> left = at(home);
          left.forEach(process -> process.handle().destroyForcibly());
          return left.isEmpty();
        });
  }

  @Override
  public String toString() {
    return name + " (pid " + handle.pid() + ")";
  }
}
