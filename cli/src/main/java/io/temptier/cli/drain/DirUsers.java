// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import com.google.auto.value.AutoValue;
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
@AutoValue
abstract class DirUsers {
  /** Files of each that lie here, or are linked. */
  abstract List<Application> applications();

  /**
   * That have a file of the dir open, or work in it; the NodeManager's own notes in {@code
   * .temptier} do not count.
   */
  abstract List<OpenFile> processes();

  /** Folders, and processes by their folder in {@code /proc}, that could not be looked into. */
  abstract List<String> unseen();

  /** An application's files. */
  @AutoValue
  abstract static class Application {
    abstract String id();

    /** How many, links that lead here included. */
    abstract long files();

    abstract long bytes();

    static Application of(String id, long files, long bytes) {
      return new AutoValue_DirUsers_Application(id, files, bytes);
    }
  }

  /** A process that holds the dir. */
  @AutoValue
  abstract static class OpenFile {
    abstract long pid();

    abstract String command();

    abstract String file();

    static OpenFile of(long pid, String command, String file) {
      return new AutoValue_DirUsers_OpenFile(pid, command, file);
    }
  }

  private static final Path PROC = Paths.get("/proc");
  private static final String OWN = ".temptier";

  static DirUsers create(
      List<Application> applications, List<OpenFile> processes, List<String> unseen) {
    applications = Immutable.copyOf(applications);
    processes = Immutable.copyOf(processes);
    unseen = Immutable.copyOf(unseen);
    return new AutoValue_DirUsers(applications, processes, unseen);
  }

  /** Whether nothing would miss the dir. */
  boolean none() {
    return applications().isEmpty() && processes().isEmpty() && unseen().isEmpty();
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
    Search search = new Search(dir, proc, step);
    search.files();
    search.links(others);
    search.processes();
    return DirUsers.create(
        Immutable.listFrom(search.applications.values()), search.processes, search.unseen);
  }

  private static final class Search {
    private final Path dir;
    private final Map<String, Application> applications = new TreeMap<>();
    private final List<OpenFile> processes = new ArrayList<>();
    private final List<String> unseen = new ArrayList<>();
    private final Path proc;
    private final AtomicLong step;

    Search(Path dir, Path proc, AtomicLong step) {
      this.dir = dir;
      this.proc = proc;
      this.step = step;
    }

    private void stepped() {
      step.set(System.nanoTime());
    }

    void files() throws IOException {
      for (Path application : applications(dir)) {
        Files.walkFileTree(application, new Count(application));
      }
    }

    /**
     * A container's work dir has a link to each of its localized resources; a home of Spark's may
     * be a link itself.
     */
    void links(List<Path> others) throws IOException {
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
      applications.merge(
          String.valueOf(application.getFileName()),
          Application.of(String.valueOf(application.getFileName()), 1, bytes),
          (a, b) -> Application.of(a.id(), a.files() + b.files(), a.bytes() + b.bytes()));
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

    void processes() throws IOException {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[0-9]*")) {
        for (Path process : all) {
          look(process);
        }
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
          OpenFile.of(Long.parseLong(String.valueOf(process.getFileName())), command, file));
    }
  }
}
