// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.PlacementRecord;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts together what lies in the local dirs and what was written down. */
final class Explainer {
  private static final String INDEX = ".index";

  /** The output of a map task. */
  private static final Pattern MAP_OUTPUT = Pattern.compile("output/(attempt_\\w+)/file\\.out");

  private final Roots roots;
  private final Journals journals;

  Explainer(Roots roots, Journals journals) {
    this.roots = roots;
    this.journals = journals;
  }

  /**
   * The dirs of an application that exist under the roots; of all whose users' folders may be
   * listed where none is given.
   */
  static List<Path> applicationDirs(List<Path> roots, Optional<String> application)
      throws IOException {
    List<Path> dirs = new ArrayList<>();
    for (Path root : roots) {
      Path users = root.resolve("usercache");
      if (!Files.isDirectory(users)) {
        continue;
      }
      try (DirectoryStream<Path> each = Files.newDirectoryStream(users)) {
        for (Path user : each) {
          Path all = user.resolve("appcache");
          application.map(all::resolve).filter(Files::isDirectory).ifPresent(dirs::add);
          if (!application.isPresent() && Files.isReadable(all)) {
            try (DirectoryStream<Path> applications =
                Files.newDirectoryStream(all, "application_*")) {
              applications.forEach(dirs::add);
            }
          }
        }
      }
    }
    return dirs;
  }

  /** Explains one file or folder, by its absolute path; it need not exist. */
  Explanation explain(Path file) {
    return Demotion.of(file, roots.layout())
        .filter(this::wasPlacedAbove)
        .map(moved -> demoted(file, moved))
        .orElseGet(() -> placed(file));
  }

  /** A block of Spark's that was written to another dir than its home has a link there, too. */
  private boolean wasPlacedAbove(Demotion moved) {
    return journals.of(moved.link()).isPresent() || !journals.of(moved.copy()).isPresent();
  }

  private Explanation demoted(Path file, Demotion moved) {
    Explanation first = placed(moved.link());
    String note = first.record().isPresent() ? first.note() : "Its placement was not written down.";
    return Explanation.of(
        file,
        moved.to(),
        first.kind(),
        size(moved.copy()),
        first.record(),
        note,
        Optional.of(moved));
  }

  private Explanation placed(Path file) {
    LocalDir dir = roots.layout().dirOf(file).orElse(null);
    FileKind kind = FileKind.of(dir == null ? file.toString() : relative(dir, file));
    long bytes = size(file);
    Optional<PlacementRecord> own = journals.of(file);
    if (own.isPresent()) {
      return Explanation.of(file, dir, own.get().kind(), bytes, own, "");
    }
    if (dir == null) {
      return Explanation.of(
          file, null, kind, bytes, Optional.empty(), "It is not in a local dir of this node.");
    }
    return byNeighbour(file, dir, kind, bytes);
  }

  private Explanation byNeighbour(Path file, LocalDir dir, FileKind kind, long bytes) {
    Optional<Path> target = target(file);
    Optional<PlacementRecord> led = target.flatMap(journals::of);
    if (led.isPresent()) {
      String note = "It is a link to " + target.get() + ", and the record is of that.";
      return Explanation.of(file, dir, led.get().kind(), bytes, led, note);
    }
    String path = file.toString();
    Optional<PlacementRecord> spill = ofSingleSpill(path);
    if (spill.isPresent()) {
      String note = "It is the task's only spill, renamed where it lay; the record is the spill's.";
      return Explanation.of(file, dir, kind, bytes, spill, note);
    }
    if (path.endsWith(INDEX)) {
      Explanation data = placed(Paths.get(path.substring(0, path.length() - INDEX.length())));
      if (data.record().isPresent()) {
        String note = "An index lies beside its data; the record is that of the data.";
        return Explanation.of(file, dir, kind, bytes, data.record(), note);
      }
    }
    for (Path parent = file.getParent();
        parent != null && parent.startsWith(dir.path());
        parent = parent.getParent()) {
      Optional<PlacementRecord> whole = journals.of(parent);
      if (whole.isPresent()) {
        String note = "It is part of " + parent + ", which was placed as a whole.";
        return Explanation.of(file, dir, whole.get().kind(), bytes, whole, note);
      }
    }
    return Explanation.of(file, dir, kind, bytes, Optional.empty(), unknown(file));
  }

  /** Where a link leads; empty when there is none. */
  private static Optional<Path> target(Path file) {
    try {
      return Files.isSymbolicLink(file)
          ? Optional.of(Files.readSymbolicLink(file))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A task with one spill makes it its output by renaming it. */
  private Optional<PlacementRecord> ofSingleSpill(String path) {
    String data = path.endsWith(INDEX) ? path.substring(0, path.length() - INDEX.length()) : path;
    Matcher output = MAP_OUTPUT.matcher(data);
    if (!output.find() || output.end() != data.length()) {
      return Optional.empty();
    }
    String attempt = output.group(1);
    Path base = Paths.get(data.substring(0, output.start()));
    return Stream.of(
            Paths.get(data).resolveSibling("spill0.out"),
            base.resolve(attempt + "_spill_0.out"),
            // Of Tez.
            base.resolve("output").resolve(attempt + "_0").resolve("file.out"))
        .flatMap(spill -> journals.of(spill).map(Stream::of).orElseGet(Stream::empty))
        .findFirst();
  }

  private String unknown(Path file) {
    if (!roots.marked()) {
      return "There is no record of it: no NodeManager with TempTier has run on these local dirs.";
    }
    if (!journals.unreadable().isEmpty()) {
      return String.format(
          "There is no record of it that you may read; run this as the NodeManager's user to"
              + " read %s.",
          String.join(", ", journals.unreadable()));
    }
    return file.toString().contains("/appcache/")
        ? "There is no record of it: the job was run without TempTier's classes, or wrote the file"
            + " by other ways than Hadoop's allocator."
        : "There is no record of it: it is older than the journal, or was made by other ways than"
            + " Hadoop's allocator.";
  }

  /** Explains every file under the dirs that is asked for, fastest tier first. */
  List<Explanation> explainAll(List<Path> dirs, Question question) throws IOException {
    List<Explanation> found = new ArrayList<>();
    for (Path dir : dirs) {
      Files.walkFileTree(
          dir,
          new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (question.covers(file) && !hidden(file)) {
                found.add(explain(file));
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              // Deleted meanwhile, or not ours to read: the rest is still worth showing.
              return FileVisitResult.CONTINUE;
            }
          });
    }
    Set<Path> files = found.stream().map(Explanation::file).collect(Collectors.toSet());
    found.removeIf(one -> one.isCopyBesideItsLink(files));
    // A block that was written elsewhere than its home has a link there; it is one file.
    found.removeIf(
        one ->
            !one.demotion().isPresent() && target(one.file()).filter(files::contains).isPresent());
    List<Path> order = roots.paths();
    found.sort(
        Comparator.comparingInt(
                (Explanation e) -> e.dir() == null ? -1 : order.indexOf(e.dir().path()))
            .thenComparing(Explanation::file));
    return found;
  }

  /** Our own journal, and Hadoop's checksums. */
  private static boolean hidden(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".temptier") || (name.startsWith(".") && name.endsWith(".crc"));
  }

  private static String relative(LocalDir dir, Path file) {
    return dir.path().relativize(file).toString();
  }

  /** Bytes of a file, or of all files of a folder; -1 when there is nothing. */
  private static long size(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .size();
    } catch (IOException e) {
      return -1;
    }
  }
}
