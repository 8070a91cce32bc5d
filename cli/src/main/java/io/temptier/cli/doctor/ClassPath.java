// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** A class path, searched on this machine: the classes it does not hold, and what was not there. */
final class ClassPath {
  /** TempTier's jars by any of their names, or a folder or variable named after the project. */
  private static final Pattern DROP_IN =
      Pattern.compile(
          "temptier|shuffle-tier|spark-tier|tiered-localdirs", Pattern.CASE_INSENSITIVE);

  private final List<Path> folders = new ArrayList<>();
  private final List<Path> jars = new ArrayList<>();
  private final List<String> unresolved = new ArrayList<>();
  private final List<String> absent = new ArrayList<>();

  /**
   * Of entries as Java takes them: a jar, a folder of classes, or {@code FOLDER/*} for its jars.
   * Those with a variable that is not known, or that are relative, are not searched.
   */
  ClassPath(Collection<String> entries) {
    entries.stream().map(String::trim).filter(e -> !e.isEmpty()).forEach(this::add);
  }

  /** Whether part of a class path names TempTier's jars. */
  static boolean namesDropInJars(String text) {
    return DROP_IN.matcher(text).find();
  }

  private void add(String entry) {
    if (!entry.startsWith("/") || entry.contains("$") || entry.contains("{{")) {
      unresolved.add(entry);
      return;
    }
    try {
      if (entry.endsWith("/*")) {
        addJarsOf(Path.of(entry.substring(0, entry.length() - 1)));
      } else if (Files.isDirectory(Path.of(entry))) {
        folders.add(Path.of(entry));
      } else {
        addJar(Path.of(entry));
      }
    } catch (IOException | InvalidPathException e) {
      absent.add(entry);
    }
  }

  private void addJarsOf(Path folder) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
      found.forEach(this::addJar);
    }
  }

  private void addJar(Path jar) {
    // A pipe by that name would not answer.
    if (Files.isRegularFile(jar) && Files.isReadable(jar)) {
      jars.add(jar);
    } else {
      absent.add(jar.toString());
    }
  }

  /** Which of these classes no entry holds that could be searched. */
  List<NamedClass> missing(Collection<NamedClass> classes) {
    List<NamedClass> missing = new ArrayList<>(classes);
    missing.removeIf(
        each -> folders.stream().anyMatch(folder -> Files.exists(folder.resolve(each.file()))));
    for (Path jar : jars) {
      if (missing.isEmpty()) {
        break;
      }
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        missing.removeIf(each -> zip.getEntry(each.file()) != null);
      } catch (IOException e) {
        // No jar: Java passes over it too.
        absent.add(jar + " (" + e.getMessage() + ")");
      }
    }
    return missing;
  }

  /** The jars and folders that hold a class. */
  List<Path> holding(NamedClass one) {
    return Stream.concat(folders.stream(), jars.stream())
        .filter(entry -> new ClassPath(List.of(entry.toString())).missing(List.of(one)).isEmpty())
        .distinct()
        .toList();
  }

  /** Entries whose variables are not known here. */
  List<String> unresolved() {
    return unresolved;
  }

  /** Entries that are not on this machine, or cannot be read. */
  List<String> absent() {
    return absent;
  }
}
