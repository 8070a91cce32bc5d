// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile.Json;
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
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.policy.Placement;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts together what lies in the local dirs and what was written down: of each file where it lies
 * and why, as programs read it.
 */
final class Explainer {
  /** A file that went down twice has a link of one step; more steps are of a move under way. */
  private static final int MOST_LINKS = 8;

  final TierLayout layout;

  /** True if a NodeManager with TempTier published the local dirs; else the kernel was asked. */
  final boolean marked;

  private Journals journals = new Journals(Immutable.listOf(), Immutable.listOf());

  /** Takes the given local dirs, and those which a marker under one of them names. */
  Explainer(List<Path> given) {
    Optional<NodeTiers> marker = Optional.empty();
    for (Path root : given) {
      marker = marker.isPresent() ? marker : NodeMarker.read(root);
    }
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

  /** Reads the journals of the NodeManager, and those of an application in its dirs. */
  Journals read(List<Path> applicationDirs) {
    journals = new Journals(layout.paths(), applicationDirs);
    return journals;
  }

  /** The dirs of an application, or of all whose users' folders may be listed. */
  List<Path> applicationDirs(Optional<String> application) throws IOException {
    List<Path> dirs = new ArrayList<>();
    for (Path root : layout.paths()) {
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
    Path link = linkOf(file);
    Path copy = copyOf(link);
    Optional<ObjectNode> moved = demotion(link, copy);
    Path placed = moved.isPresent() ? link : file;
    Path lies = moved.isPresent() ? copy : file;
    String note = moved.isPresent() ? "Its placement was not written down." : unknown(file);
    Optional<PlacementRecord> record = Optional.empty();
    for (Map.Entry<Path, String> name : Journals.namesInRecords(placed, dirOf(placed)).entrySet()) {
      record = journals.of(name.getKey());
      if (record.isPresent()) {
        note = name.getValue();
        break;
      }
    }
    FileKind kind = FileKind.of(dirOf(placed).path().relativize(placed).toString());
    if (kind == FileKind.OTHER && record.isPresent()) {
      kind = record.get().request().kind();
    }
    long bytes = size(lies);
    ObjectNode answer = Json.object();
    answer
        .put("path", file.toString())
        .put("exists", bytes >= 0)
        .put("medium", dirOf(lies).medium().name())
        .put("dir", dirOf(lies).path().toString())
        .put("kind", kind.toString());
    if (bytes >= 0) {
      answer.put("bytes", bytes);
    }
    moved.ifPresent(move -> answer.set("demoted", move));
    answer.put("recorded", record.isPresent());
    record.ifPresent(made -> addDecision(answer, made));
    if (!note.isEmpty()) {
      answer.put("note", note);
    }
    return answer;
  }

  private LocalDir dirOf(Path file) {
    return layout.dirOf(file).orElseThrow(IllegalArgumentException::new);
  }

  /** Returns the link in the old place of a file that was moved down; else the file itself. */
  private Path linkOf(Path file) {
    LocalDir dir = dirOf(file);
    if (Files.isSymbolicLink(file)) {
      return file;
    }
    return layout.dirs().subList(0, layout.dirs().indexOf(dir)).stream()
        .flatMap(each -> Journals.namesAbove(each.path().resolve(dir.path().relativize(file))))
        .filter(link -> copyOf(link).equals(file))
        .findFirst()
        .orElse(file);
  }

  /** Returns the copy in another local dir that a moved file's link leads to; else the link. */
  private Path copyOf(Path link) {
    Path copy = link;
    for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(copy); i++) {
      copy = copy.resolveSibling(Journals.target(copy).orElse(copy)).normalize();
    }
    Optional<LocalDir> dir = layout.dirOf(copy);
    boolean moved = dir.isPresent() && !dir.equals(layout.dirOf(link));
    return moved && Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS) ? copy : link;
  }

  /**
   * Describes a file's move down, for programs; empty when there was none. A block of Spark's that
   * was written to another dir than its home has a link there, too.
   */
  private Optional<ObjectNode> demotion(Path link, Path copy) {
    boolean home = journals.of(copy).isPresent() && !journals.of(link).isPresent();
    if (copy.equals(link) || home) {
      return Optional.empty();
    }
    LocalDir from = dirOf(link);
    LocalDir to = dirOf(copy);
    try {
      return Optional.of(
          Json.object()
              .put(
                  "timeMillis",
                  Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toMillis())
              .put("fromMedium", from.medium().name())
              .put("fromDir", from.path().toString())
              .put("toMedium", to.medium().name())
              .put("toDir", to.path().toString())
              .put("link", link.toString())
              .put("why", journals.whyDemoted(copy)));
    } catch (IOException e) {
      // It ended meanwhile.
      return Optional.empty();
    }
  }

  private static void addDecision(ObjectNode answer, PlacementRecord made) {
    Placement placement = made.placement();
    answer
        .putObject("decision")
        .put("why", placement.toString())
        .put("reason", placement.reason().name())
        .put("medium", placement.dir().medium().name())
        .put("spilledDown", placement.spilledDown())
        .putPOJO("refusals", placement.refusals())
        .put("expectedBytes", made.bytes())
        .put("sizeKnown", made.request().sizeKnown())
        .put("timeMillis", made.timeMillis())
        .put("pid", made.pid())
        .put("application", made.request().application());
  }

  private String unknown(Path file) {
    if (!marked) {
      return "There is no record of it: no NodeManager with TempTier has run on these local dirs.";
    }
    if (!journals.unreadable.isEmpty()) {
      return String.format(
          "There is no record of it that you may read; run this as the NodeManager's user to"
              + " read %s.",
          String.join(", ", journals.unreadable));
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
              ? Journals.target(Paths.get(path(one)))
                  .filter(to -> files.contains(to.toString()))
                  .isPresent()
              : !link.equals(path(one)) && files.contains(link);
        });
    List<Path> order = layout.paths();
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
    return name.startsWith(NodeMarker.DIR) || (name.startsWith(".") && name.endsWith(".crc"));
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
