// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Users of a local dir: files of applications, links of their containers that lead here from other
 * dirs (localized resources), and processes that have something open in it. A link in the dir
 * itself is none: what it leads to lies elsewhere, and is found there too. But a home of Spark's is
 * one, be it a link or empty: other executors and the shuffle service know no other way to its
 * files.
 */
final class DirUsers {
  /** Below {@code usercache}: a user's {@code appcache}, an application, and what it has there. */
  private static final int APPCACHE = 2;

  private static final int APPLICATION = 3;

  private final Path dir;

  /** Path without links, by which the kernel names open files. */
  private final Path real;

  private final AtomicLong step;

  /** Sizes of applications' files that lie here, by the id; links that lead here have none. */
  final Map<String, LongSummaryStatistics> applications = new TreeMap<>();

  /**
   * Processes with a file of the dir open or their work dir in it, by {@code pid}, {@code command}
   * and {@code file}; the NodeManager's own notes in {@code .temptier} do not count.
   */
  final List<ObjectNode> processes = new ArrayList<>();

  /** Folders, and processes by their folder in {@code /proc}, that could not be looked into. */
  final List<String> unseen = new ArrayList<>();

  /**
   * Looks at a dir, and for links to it in the node's other ones. Takes as long as the disks do.
   *
   * @param proc {@code /proc}
   * @param step is set to when something was last found out, {@link System#nanoTime}
   */
  DirUsers(Path dir, List<Path> others, Path proc, AtomicLong step) throws IOException {
    this.dir = dir;
    this.real = dir.toRealPath();
    this.step = step;
    walk(dir, Integer.MAX_VALUE);
    for (Path other : others) {
      // A container's work dir has a link to each of its localized resources.
      walk(other, APPLICATION + 2);
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[0-9]*")) {
      all.forEach(this::look);
    }
  }

  boolean none() {
    return applications.isEmpty() && processes.isEmpty() && unseen.isEmpty();
  }

  private void walk(Path local, int depth) throws IOException {
    Path users = local.resolve("usercache");
    Files.walkFileTree(users, EnumSet.noneOf(FileVisitOption.class), depth, new Count(users));
  }

  /** Counts applications' files in this dir, or their links to it in another one. */
  private final class Count extends SimpleFileVisitor<Path> {
    private final Path users;

    Count(Path users) {
      this.users = users;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      boolean other =
          users.relativize(folder).getNameCount() == APPCACHE && !folder.endsWith("appcache");
      return other ? FileVisitResult.SKIP_SUBTREE : visitFile(folder, attributes);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      step.set(System.nanoTime());
      Path below = users.relativize(file);
      int depth = below.getNameCount();
      String name = String.valueOf(file.getFileName());
      boolean counts;
      if (users.startsWith(dir)) {
        boolean home = depth == APPLICATION + 1 && name.startsWith(BlockFolders.HOME);
        counts = home || (attributes.isRegularFile() && !name.startsWith(NodeMarker.DIR));
      } else {
        counts = attributes.isSymbolicLink() && leadsHere(file);
      }
      if (counts && depth > APPLICATION) {
        String id = below.getName(APPLICATION - 1).toString();
        applications
            .computeIfAbsent(id, key -> new LongSummaryStatistics())
            .accept(attributes.isRegularFile() ? attributes.size() : 0);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      missed(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
      if (e != null) {
        missed(folder);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private boolean leadsHere(Path link) throws IOException {
    try {
      return Files.readSymbolicLink(link).startsWith(dir);
    } catch (NoSuchFileException | NotLinkException e) {
      // It is gone, or no link any more, and holds nothing.
      return false;
    }
  }

  /** Notes a path that could not be read, unless it is gone by now. */
  private void missed(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      unseen.add(path.toString());
    }
  }

  private void look(Path process) {
    step.set(System.nanoTime());
    try {
      if (holds(process, process.resolve("cwd"))) {
        return;
      }
      try (DirectoryStream<Path> open = Files.newDirectoryStream(process.resolve("fd"))) {
        for (Path descriptor : open) {
          if (holds(process, descriptor)) {
            return;
          }
        }
      }
      mapped(process);
    } catch (NoSuchFileException e) {
      // It has ended.
    } catch (IOException | DirectoryIteratorException e) {
      missed(process);
    }
  }

  private boolean holds(Path process, Path link) throws IOException {
    Path file;
    try {
      file = Files.readSymbolicLink(link);
    } catch (NoSuchFileException e) {
      return false;
    }
    if (!file.startsWith(real) || file.startsWith(real.resolve(NodeMarker.DIR))) {
      return false;
    }
    add(process, file.toString());
    return true;
  }

  /** A library of its that was loaded from here has no descriptor. */
  private void mapped(Path process) throws IOException {
    String here = " " + real + "/";
    for (String line : Files.readAllLines(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      int start = line.indexOf(here);
      if (start >= 0) {
        add(process, line.substring(start + 1));
        return;
      }
    }
  }

  private void add(Path process, String file) throws IOException {
    String command = Io.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1).trim();
    processes.add(
        Json.object()
            .put("pid", Long.parseLong(String.valueOf(process.getFileName())))
            .put("command", command)
            .put("file", file));
  }
}
