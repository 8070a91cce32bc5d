// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What was written down about placements on this node. Not thread-safe. */
final class Journals {
  /**
   * A file of Spark lies in its home or in a folder of TempTier's that is called after it, and had
   * a longer name while it was written.
   */
  private static final Pattern BLOCK =
      Pattern.compile(
          "(.*/)(?:temptier-)?(blockmgr-[^/]+/[0-9a-f]+/[^/]+?)"
              + "(?:\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?");

  private final Map<Path, PlacementRecord> placed = new HashMap<>();
  private final List<String> unreadable = new ArrayList<>();

  /**
   * Reads the NodeManager's journals in the roots, and those of an application in its dirs there.
   */
  Journals(List<Path> roots, List<Path> applicationDirs) {
    for (Path root : roots) {
      Path journal = root.resolve(NodeMarker.DIR).resolve(NodeMarker.PLACEMENTS);
      String old = journal.getFileName() + PlacementJournal.OLD_SUFFIX;
      read(journal.resolveSibling(old), "");
      read(journal, "");
      for (Path dir : applicationDirs) {
        if (dir.startsWith(root)) {
          // It has the same path under every root.
          read(dir.resolve(PlacementJournal.APPLICATION_FILE), root.relativize(dir).toString());
        }
      }
    }
  }

  /** Reads a journal whose paths are below a folder, which is empty for the root itself. */
  private void read(Path journal, String below) {
    if (!Files.exists(journal)) {
      return;
    }
    try (JournalTail tail = JournalTail.open(journal)) {
      // No journal is longer, but a user may have put anything in its place.
      tail.poll(2 * PlacementJournal.APPLICATION_MAX_BYTES, entry -> add(entry, below));
    } catch (IOException e) {
      unreadable.add(journal.toString());
    }
  }

  private void add(PlacementRecord entry, String below) {
    if (entry.event() != PlacementRecord.Event.PLACED) {
      return;
    }
    try {
      // Merges of a reducer name their first input by its whole path, and land below it.
      String relative = entry.path().replaceFirst("^/+", "");
      placed.put(asPlaced(Paths.get(entry.dir(), below, relative).normalize()), entry);
    } catch (InvalidPathException e) {
      unreadable.add(entry.dir() + " in a record");
    }
  }

  List<String> unreadable() {
    return unreadable;
  }

  /** The last decision for that very path. */
  Optional<PlacementRecord> of(Path file) {
    return Optional.ofNullable(placed.get(asPlaced(file)));
  }

  /**
   * What a file may be called in a dir it was moved down from: a block has a shorter name there.
   */
  static Stream<Path> names(Path file) {
    Matcher block = BLOCK.matcher(file.toString());
    return block.matches()
        ? Stream.of("", "temptier-")
            .map(annex -> Paths.get(block.group(1) + annex + block.group(2)))
        : Stream.of(file);
  }

  private static Path asPlaced(Path file) {
    Matcher block = BLOCK.matcher(file.toString());
    return block.matches() ? Paths.get(block.group(1) + block.group(2)) : file;
  }
}
