// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Records of placements on this node. Not thread-safe. */
final class Journals {
  private static final String INDEX = ".index";

  private static final Pattern MAP_OUTPUT = Pattern.compile("output/(attempt_\\w+)/file\\.out");

  /**
   * A file of Spark lies in its home or in a folder of TempTier's that is called after it, and had
   * a longer name while it was written.
   */
  private static final Pattern BLOCK =
      Pattern.compile(
          "(.*/)(?:temptier-)?(blockmgr-[^/]+/[0-9a-f]+/[^/]+?)"
              + "(?:\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?");

  private final Map<Path, PlacementRecord> placed = new HashMap<>();

  /** Moves down by the paths of the copies. */
  private final Map<Path, PlacementRecord> demoted = new HashMap<>();

  /** Journals that this user may not read. */
  final List<String> unreadable = new ArrayList<>();

  /** Reads those of the NodeManager in the roots, and those of an application in its dirs there. */
  Journals(List<Path> roots, List<Path> applicationDirs) {
    for (Path root : roots) {
      Path journal = root.resolve(NodeMarker.DIR).resolve(PlacementJournal.NODE_FILE);
      read(journal.resolveSibling(journal.getFileName() + PlacementJournal.OLD_SUFFIX), "");
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
    if (entry.event() == PlacementRecord.Event.SETTLED) {
      return;
    }
    String dir = entry.placement().dir().path().toString();
    try {
      // Merges of a reducer name their first input by its whole path, and land below it.
      String relative = entry.request().path().replaceFirst("^/+", "");
      boolean moved = entry.event() == PlacementRecord.Event.DEMOTED;
      Path file = Paths.get(dir, below, relative).normalize();
      (moved ? demoted : placed).put(asPlaced(file), entry);
    } catch (InvalidPathException e) {
      unreadable.add(dir + " in a record");
    }
  }

  /** The last decision for that very path. */
  Optional<PlacementRecord> of(Path file) {
    return Optional.ofNullable(placed.get(asPlaced(file)));
  }

  /** Tells people why the file with this copy had to leave its dir. */
  String whyDemoted(Path copy) {
    PlacementRecord record = demoted.get(asPlaced(copy));
    return record == null || !record.placement().spilledDown()
        ? "no record says why"
        : record.placement().refusals().get(0).reason() == Reason.DRAINING
            ? "that dir was being drained"
            : "its tier was filled above temptier.demotion.high";
  }

  private static Path asPlaced(Path file) {
    Matcher block = BLOCK.matcher(file.toString());
    return block.matches() ? Paths.get(block.group(1) + block.group(2)) : file;
  }

  /** Names a file may have had where it was moved down from: a block has a shorter name there. */
  static Stream<Path> namesAbove(Path file) {
    Matcher block = BLOCK.matcher(file.toString());
    return block.matches()
        ? Stream.of("", "temptier-")
            .map(annex -> Paths.get(block.group(1) + annex + block.group(2)))
        : Stream.of(file);
  }

  /** Names that a record may have for a file, each with its reason: the first counts. */
  static Map<Path, String> namesInRecords(Path file, LocalDir dir) {
    Map<Path, String> names = new LinkedHashMap<>();
    names.put(file, "");
    target(file)
        .ifPresent(to -> names.put(to, "It is a link to " + to + ", and the record is of that."));
    String path = file.toString();
    String data = path.endsWith(INDEX) ? path.substring(0, path.length() - INDEX.length()) : path;
    Matcher output = MAP_OUTPUT.matcher(data);
    if (output.find() && output.end() == data.length()) {
      String spill =
          "It is the task's only spill, renamed where it lay; the record is the spill's.";
      Path base = Paths.get(data.substring(0, output.start()));
      String attempt = output.group(1);
      names.putIfAbsent(Paths.get(data).resolveSibling("spill0.out"), spill);
      names.putIfAbsent(base.resolve(attempt + "_spill_0.out"), spill);
      // Tez's name.
      names.putIfAbsent(base.resolve("output").resolve(attempt + "_0/file.out"), spill);
    }
    if (!data.equals(path)) {
      String beside = "An index lies beside its data; the record is that of the data.";
      names.putIfAbsent(Paths.get(data), beside);
      target(Paths.get(data)).ifPresent(to -> names.putIfAbsent(to, beside));
    }
    for (Path parent = file.getParent();
        parent != null && parent.startsWith(dir.path());
        parent = parent.getParent()) {
      names.putIfAbsent(parent, "It is part of " + parent + ", which was placed as a whole.");
    }
    return names;
  }

  /** Returns where a link leads; empty when there is none. */
  static Optional<Path> target(Path file) {
    try {
      return Files.isSymbolicLink(file)
          ? Optional.of(Files.readSymbolicLink(file))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
