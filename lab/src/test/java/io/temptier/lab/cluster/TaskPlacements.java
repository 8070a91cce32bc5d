// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.fixtures.Trees;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an application's tasks wrote down of their placements, and what lies in its folders. Both
 * are there after its end where {@code yarn.nodemanager.delete.debug-delay-sec} keeps them.
 *
 * @param folders the application's, by the local dir
 * @param placed in the order of each journal
 */
record TaskPlacements(Map<Path, Path> folders, List<PlacementRecord> placed) {
  /**
   * Reads them.
   *
   * @param dirs the local dirs of the node
   */
  static TaskPlacements of(List<Path> dirs, String application) throws IOException {
    Map<Path, Path> folders = new LinkedHashMap<>();
    List<PlacementRecord> placed = new ArrayList<>();
    for (Path dir : dirs) {
      Path users = dir.resolve("usercache");
      if (!Files.isDirectory(users)) {
        continue;
      }
      try (Stream<Path> each = Files.list(users)) {
        each.map(user -> user.resolve("appcache").resolve(application))
            .filter(Files::isDirectory)
            .forEach(folder -> folders.put(dir, folder));
      }
    }
    for (Path folder : folders.values()) {
      Path journal = folder.resolve(PlacementJournal.APPLICATION_FILE);
      if (Files.exists(journal)) {
        try (JournalTail tail = JournalTail.open(journal)) {
          tail.poll(
              Long.MAX_VALUE,
              one -> {
                if (one.event() == PlacementRecord.Event.PLACED) {
                  placed.add(one);
                }
              });
        }
      }
    }
    return new TaskPlacements(folders, placed);
  }

  List<PlacementRecord> of(FileKind kind) {
    return placed.stream().filter(one -> one.request().kind() == kind).toList();
  }

  long of(FileKind kind, Medium medium) {
    return of(kind).stream().filter(one -> one.placement().dir().medium() == medium).count();
  }

  /**
   * Outputs and spills that lie where nobody placed them. Those that were renamed in their dir, as
   * the only spill of an output is, count as placed, and so do those that demotion moved, which
   * left a link.
   */
  List<Path> notPlaced() throws IOException {
    Set<FileKind> sorted = Set.of(FileKind.MAP_OUTPUT, FileKind.SPILL);
    Set<String> known =
        placed.stream()
            .filter(one -> sorted.contains(one.request().kind()))
            .map(one -> name(one).replaceAll("_\\d+/file.out$", "/file.out"))
            .collect(Collectors.toSet());
    known.addAll(placed.stream().map(TaskPlacements::name).toList());
    List<Path> found = new ArrayList<>();
    for (Map.Entry<Path, Path> in : folders.entrySet()) {
      Path folder = in.getValue();
      Trees.below(folder).stream()
          .filter(file -> file.endsWith("file.out"))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .filter(file -> !known.contains(in.getKey() + " " + folder.relativize(file)))
          .filter(file -> !linked(folder.relativize(file)))
          .forEach(found::add);
    }
    return found;
  }

  private static String name(PlacementRecord one) {
    return one.placement().dir().path() + " " + one.request().path();
  }

  private boolean linked(Path file) {
    return folders.values().stream().anyMatch(folder -> Files.isSymbolicLink(folder.resolve(file)));
  }

  /** For people: files by kind and tier. */
  Map<FileKind, Map<Medium, Long>> counts() {
    return placed.stream()
        .collect(
            Collectors.groupingBy(
                record -> record.request().kind(),
                () -> new EnumMap<>(FileKind.class),
                Collectors.groupingBy(
                    record -> record.placement().dir().medium(),
                    TreeMap::new,
                    Collectors.counting())));
  }
}
