// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.testing.DiskBed;
import io.temptier.tier.Layouts;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** A folder of claims, and a procfs in which process 7 has run since tick 70. */
abstract class ClaimsBed extends DiskBed {
  Path root;
  Path folder;
  Path proc;

  @BeforeEach
  final void makeFolder() throws IOException {
    root = Layouts.root(temp.resolve("root"));
    folder = Layouts.claimsOf(root);
    Files.setAttribute(folder, "unix:mode", 01777);
    proc = Files.createDirectories(temp.resolve("proc"));
    Layouts.process(proc, 7, 'S', 70);
  }

  /** As another process has them. */
  final Claims claims() {
    return Layouts.claims(folder, proc, clock);
  }

  final ClaimSweep sweep() {
    return new ClaimSweep(root, clock::millis, new ProcessTable(proc));
  }

  /** Puts a ledger into the folder that was renewed just now. */
  final Path plant(String name, long bytes) throws IOException {
    Path file = Layouts.sparse(folder.resolve(name), bytes);
    return Files.setLastModifiedTime(file, FileTime.fromMillis(clock.millis()));
  }

  /** The command line of a program that a shell starts after something else. */
  static List<String> after(String first, List<String> program) {
    List<String> line = new ArrayList<>(List.of("sh", "-c", first + " && exec \"$@\"", "sh"));
    line.addAll(program);
    return line;
  }

  final Set<String> entries() {
    return Set.of(folder.toFile().list());
  }
}
