// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.FileKind;
import io.temptier.tier.lang.BoundedMap;
import io.temptier.tier.lang.Immutable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Places where this process put the spills of Tez. Its sorter asks for the output that it merges
 * them to with a size of 0 ({@code PipelinedSorter.flush} of 0.10.5): the output will be as large
 * as they are by then. Safe for use by many threads.
 */
final class TezSpills {
  /** Bound on outputs that are remembered, the last ones: a process may run many tasks. */
  private static final int MOST_OUTPUTS = 128;

  private static final String OUTPUT = "/file.out";

  /** Patterns of Tez's names, compiled when first needed. */
  private static final class Names {
    static final Pattern SPILL =
        Pattern.compile("(.*attempt(?:_\\d+){7})_\\d+(" + Pattern.quote(OUTPUT) + ")");
  }

  /** Spills by the path of the output. Guarded by itself. */
  private final Map<String, List<Path>> spills = new BoundedMap<>(MOST_OUTPUTS);

  /** Remembers a file that was asked for by {@code path}, if it is a spill of Tez. */
  void placed(FileKind kind, String path, Path file) {
    if (kind != FileKind.SPILL || !path.endsWith(OUTPUT)) {
      return;
    }
    Matcher spill = Names.SPILL.matcher(path);
    if (spill.matches()) {
      synchronized (spills) {
        spills
            .computeIfAbsent(spill.group(1) + spill.group(2), output -> new ArrayList<>())
            .add(file);
      }
    }
  }

  /** Returns the present size of the known spills of an output, by the path that is asked for. */
  long bytes(String output) {
    List<Path> files;
    synchronized (spills) {
      files = Immutable.copyOf(spills.getOrDefault(output, Immutable.listOf()));
    }
    // The task reads each of them next: to look costs it little, and what hangs would hang anyway.
    return files.stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
