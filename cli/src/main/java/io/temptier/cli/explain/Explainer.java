// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts together what lies in the local dirs and what was written down: of each file where it lies
 * and why, as programs read it.
 */
final class Explainer {
  private static final String INDEX = ".index";

  /** The output of a map task. */
  private static final Pattern MAP_OUTPUT = Pattern.compile("output/(attempt_\\w+)/file\\.out");

  /** The tiers of the local dirs. */
  final TierLayout layout;

  /** Whether a NodeManager with TempTier published them; else the kernel was asked. */
  final boolean marked;

  private Journals journals = new Journals(Immutable.listOf(), Immutable.listOf());

  /** Of the local dirs that are given, and those which a marker under one of them names. */
  Explainer(List<Path> given) {
    Optional<NodeTiers> marker =
        given.stream()
            .map(NodeMarker::read)
            .filter(Optional::isPresent)
            .findFirst()
            .orElseGet(Optional::empty);
    marked = marker.isPresent();
    List<LocalDir> dirs = new ArrayList<>();
    List<Medium> order = new ArrayList<>();
    for (Tier tier : marker.map(tiers -> tiers.layout().tiers()).orElse(Immutable.listOf())) {
      dirs.addAll(tier.dirs());
      order.add(tier.medium());
    }
    KernelClassifier kernel = new KernelClassifier();
    for (Path root : given) {
      if (dirs.stream().noneMatch(dir -> dir.path().equals(root))) {
        KernelClassifier.Classification found = kernel.classify(root);
        dirs.add(LocalDir.of(root, found.medium(), LocalDir.NO_CAP, "kernel: " + found.why()));
      }
    }
    layout = TierLayout.of(dirs, order, medium -> Reserve.DEFAULT);
  }

  /** The local dirs, fastest first. */
  List<Path> roots() {
    return layout.dirs().stream().map(LocalDir::path).collect(Immutable.toList());
  }

  /** Reads the journals of the NodeManager, and those of an application in its dirs. */
  Journals read(List<Path> applicationDirs) {
    journals = new Journals(roots(), applicationDirs);
    return journals;
  }

  /**
   * The dirs of an application that exist under the roots; of all whose users' folders may be
   * listed where none is given.
   */
  List<Path> applicationDirs(Optional<String> application) throws IOException {
    List<Path> dirs = new ArrayList<>();
    for (Path root : roots()) {
      for (Path user : inside(root.resolve("usercache"))) {
        Path all = user.resolve("appcache");
        if (application.isPresent()) {
          dirs.add(all.resolve(application.get()));
        } else if (Files.isReadable(all)) {
          dirs.addAll(inside(all));
        }
      }
    }
    dirs.removeIf(dir -> !Files.isDirectory(dir));
    return dirs;
  }

  private static List<Path> inside(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Immutable.listOf();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.collect(Immutable.toList());
    }
  }

  /** Explains one file or folder, by its absolute path in a local dir; it need not exist. */
  ObjectNode explain(Path file) {
    Optional<Demotion> moved = Demotion.of(file, layout).filter(this::wasPlacedAbove);
    Path placed = moved.map(it -> it.link).orElse(file);
    LocalDir dir = layout.dirOf(placed).orElseThrow(IllegalArgumentException::new);
    String note = moved.isPresent() ? "Its placement was not written down." : unknown(file);
    Optional<PlacementRecord> record = Optional.empty();
    for (Map.Entry<Path, String> recorded : namesInRecords(placed, dir).entrySet()) {
      record = journals.of(recorded.getKey());
      if (record.isPresent()) {
        note = recorded.getValue();
        break;
      }
    }
    FileKind kind = FileKind.of(dir.path().relativize(placed).toString());
    if (kind == FileKind.OTHER && record.isPresent()) {
      kind = record.get().kind();
    }
    LocalDir holds = moved.map(it -> it.to).orElse(dir);
    long bytes = size(moved.map(it -> it.copy).orElse(file));
    ObjectNode told = JsonNodeFactory.instance.objectNode();
    told.put("path", file.toString())
        .put("exists", bytes >= 0)
        .put("medium", holds.medium().name())
        .put("dir", holds.path().toString())
        .put("kind", kind.toString());
    if (bytes >= 0) {
      told.put("bytes", bytes);
    }
    moved.ifPresent(it -> told.set("demoted", it.json()));
    told.put("recorded", record.isPresent());
    record.ifPresent(made -> addDecision(told, made));
    if (!note.isEmpty()) {
      told.put("note", note);
    }
    return told;
  }

  private static void addDecision(ObjectNode told, PlacementRecord made) {
    told.putObject("decision")
        .put("why", made.why())
        .put("reason", made.reason().name())
        .put("medium", made.medium().name())
        .put("spilledDown", made.spilledDown())
        .putPOJO("refusals", made.refusals())
        .put("expectedBytes", made.bytes())
        .put("sizeKnown", made.sizeKnown())
        .put("timeMillis", made.timeMillis())
        .put("pid", made.pid())
        .put("application", made.application());
  }

  /** A block of Spark's that was written to another dir than its home has a link there, too. */
  private boolean wasPlacedAbove(Demotion moved) {
    return journals.of(moved.link).isPresent() || !journals.of(moved.copy).isPresent();
  }

  /** By what names a record may speak of a file, and how it comes to: the first counts. */
  private static Map<Path, String> namesInRecords(Path file, LocalDir dir) {
    Map<Path, String> names = new LinkedHashMap<>();
    names.put(file, "");
    target(file)
        .ifPresent(to -> names.put(to, "It is a link to " + to + ", and the record is of that."));
    String path = file.toString();
    String data = path.endsWith(INDEX) ? path.substring(0, path.length() - INDEX.length()) : path;
    String spill = "It is the task's only spill, renamed where it lay; the record is the spill's.";
    onlySpill(data).forEach(name -> names.putIfAbsent(name, spill));
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

  /** What the only spill of a task may have been called, which it makes its output by renaming. */
  private static List<Path> onlySpill(String data) {
    Matcher output = MAP_OUTPUT.matcher(data);
    if (!output.find() || output.end() != data.length()) {
      return Immutable.listOf();
    }
    String attempt = output.group(1);
    Path base = Paths.get(data.substring(0, output.start()));
    return Immutable.listOf(
        Paths.get(data).resolveSibling("spill0.out"),
        base.resolve(attempt + "_spill_0.out"),
        // Of Tez.
        base.resolve("output").resolve(attempt + "_0").resolve("file.out"));
  }

  private String unknown(Path file) {
    if (!marked) {
      return "There is no record of it: no NodeManager with TempTier has run on these local dirs.";
    }
    if (!journals.unreadable().isEmpty()) {
      return String.format(
          "There is no record of it that you may read; run this as the NodeManager's user to"
              + " read %s.",
          String.join(", ", journals.unreadable()));
    }
    return file.toString().contains("/appcache/")
        ? "There is no record of it: the job was run without TempTier's classes, could write none"
            + " as its disk was full, or wrote the file by other ways than Hadoop's allocator."
        : "There is no record of it: it is older than the journal, or was made by other ways than"
            + " Hadoop's allocator.";
  }

  /** Explains every file under the dirs that is asked for, fastest tier first. */
  List<ObjectNode> explainAll(List<Path> dirs, Predicate<Path> asked) throws IOException {
    List<ObjectNode> found = new ArrayList<>();
    for (Path dir : dirs) {
      Files.walkFileTree(
          dir,
          new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (asked.test(file) && !hidden(file)) {
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
    Set<String> files = found.stream().map(Explainer::path).collect(Collectors.toSet());
    // A file that has a link besides is one file: of a demoted one the link counts, else the file.
    found.removeIf(
        one -> {
          String link = one.at("/demoted/link").asText();
          return link.isEmpty()
              ? target(Paths.get(path(one))).filter(to -> files.contains(to.toString())).isPresent()
              : !link.equals(path(one)) && files.contains(link);
        });
    List<Path> order = roots();
    found.sort(
        Comparator.comparingInt(
                (ObjectNode one) -> order.indexOf(Paths.get(one.get("dir").asText())))
            .thenComparing(Explainer::path));
    return found;
  }

  private static String path(ObjectNode one) {
    return one.path("path").asText();
  }

  /** Our own journal, and Hadoop's checksums. */
  private static boolean hidden(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".temptier") || (name.startsWith(".") && name.endsWith(".crc"));
  }

  /** Bytes of a file; -1 when there is nothing. */
  private static long size(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .size();
    } catch (IOException e) {
      return -1;
    }
  }
}
