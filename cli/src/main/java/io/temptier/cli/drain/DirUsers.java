// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What still needs a local dir: files of applications, links of their containers that lead here
 * from other dirs (localized resources), and processes that have something open in it. A link in
 * the dir itself is none: what it leads to lies elsewhere, and is found there too. But a home of
 * Spark's is one, be it a link or empty: other executors and the shuffle service know no other way
 * to its files.
 */
final class DirUsers {
  private static final Path PROC = Paths.get("/proc");
  private static final String OWN = ".temptier";

  /** An application's files that lie here or are linked, links that lead here included. */
  static final class Application {
    final String id;
    long files;
    long bytes;

    Application(String id) {
      this.id = id;
    }
  }

  /** A process that holds the dir. */
  static final class OpenFile {
    final long pid;
    final String command;
    final String file;

    OpenFile(long pid, String command, String file) {
      this.pid = pid;
      this.command = command;
      this.file = file;
    }
  }

  private final Path dir;
  private final AtomicLong step;
  private final Map<String, Application> applications = new TreeMap<>();
  private final List<OpenFile> processes = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();

  private DirUsers(Path dir, AtomicLong step) {
    this.dir = dir;
    this.step = step;
  }

  /**
   * Looks at a dir, and for links to it in the node's other ones. Takes as long as the disks do.
   *
   * @param step is set to when something was last found out, {@link System#nanoTime}
   */
  static DirUsers of(Path dir, List<Path> others, AtomicLong step) throws IOException {
    return of(dir, others, PROC, step);
  }

  static DirUsers of(Path dir, List<Path> others, Path proc, AtomicLong step) throws IOException {
    DirUsers users = new DirUsers(dir, step);
    for (Path application : users.applications(dir)) {
      Files.walkFileTree(application, users.new Count(application));
    }
    users.links(others);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[0-9]*")) {
      all.forEach(users::look);
    }
    return users;
  }

  /** By their ids. */
  List<Application> applications() {
    return Immutable.listFrom(applications.values());
  }

  /**
   * That have a file of the dir open, or work in it; the NodeManager's own notes in {@code
   * .temptier} do not count.
   */
  List<OpenFile> processes() {
    return processes;
  }

  /** Folders, and processes by their folder in {@code /proc}, that could not be looked into. */
  List<String> unseen() {
    return unseen;
  }

  /** Whether nothing would miss the dir. */
  boolean none() {
    return applications.isEmpty() && processes.isEmpty() && unseen.isEmpty();
  }

  @JsonValue
  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .putPOJO("applications", applications())
        .putPOJO("processes", processes)
        .putPOJO("unseen", unseen);
  }

  private void stepped() {
    step.set(System.nanoTime());
  }

  /**
   * A container's work dir has a link to each of its localized resources; a home of Spark's may be
   * a link itself.
   */
  private void links(List<Path> others) throws IOException {
    for (Path other : others) {
      for (Path application : applications(other)) {
        for (Path container : entries(application)) {
          countIfItLeadsHere(container, application);
          for (Path entry : entries(container)) {
            countIfItLeadsHere(entry, application);
          }
        }
      }
    }
  }

  private void countIfItLeadsHere(Path link, Path application) throws IOException {
    try {
      if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(dir)) {
        count(application, 0);
      }
    } catch (NoSuchFileException | NotLinkException e) {
      // It is gone, or no link any more, and holds nothing.
    }
  }

  private List<Path> applications(Path local) {
    List<Path> found = new ArrayList<>();
    for (Path user : entries(local.resolve("usercache"))) {
      found.addAll(entries(user.resolve("appcache")));
    }
    return found;
  }

  private void count(Path application, long bytes) {
    Application of =
        applications.computeIfAbsent(String.valueOf(application.getFileName()), Application::new);
    of.files++;
    of.bytes += bytes;
  }

  private List<Path> entries(Path folder) {
    stepped();
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(found::add);
      } catch (IOException | DirectoryIteratorException e) {
        missed(folder);
      }
    }
    return found;
  }

  /** What is gone by now holds nothing. */
  private void missed(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      unseen.add(path.toString());
    }
  }

  /** Counts the files of one application. */
  private final class Count extends SimpleFileVisitor<Path> {
    private final Path application;

    Count(Path application) {
      this.application = application;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      if (isHome(folder)) {
        count(application, 0);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      stepped();
      boolean notes = String.valueOf(file.getFileName()).startsWith(OWN);
      if (!notes && attributes.isRegularFile()) {
        count(application, attributes.size());
      } else if (isHome(file)) {
        count(application, 0);
      }
      return FileVisitResult.CONTINUE;
    }

    private boolean isHome(Path path) {
      return application.equals(path.getParent())
          && String.valueOf(path.getFileName()).startsWith(BlockFolders.HOME);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      if (!(e instanceof NoSuchFileException)) {
        missed(file);
      }
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

  private void look(Path process) {
    stepped();
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
    if (!file.startsWith(dir) || file.startsWith(dir.resolve(OWN))) {
      return false;
    }
    add(process, file.toString());
    return true;
  }

  /** A library of its that was loaded from here has no descriptor. */
  private void mapped(Path process) throws IOException {
    String here = " " + dir + "/";
    for (String line : Files.readAllLines(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      int at = line.indexOf(here);
      if (at >= 0) {
        add(process, line.substring(at + 1));
        return;
      }
    }
  }

  private void add(Path process, String file) throws IOException {
    String command = Io.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1).trim();
    processes.add(
        new OpenFile(Long.parseLong(String.valueOf(process.getFileName())), command, file));
  }
}
