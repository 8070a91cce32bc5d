// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A class path, searched on this machine: the classes it does not hold, and what was not there. */
final class ClassPath {
  /** TempTier's jars by any of their names, or a folder or variable named so, not far above. */
  private static final Pattern DROP_IN =
      Pattern.compile("temptier[^/:,]*(/[^/:,]*){0,3}([:,]|$)", Pattern.CASE_INSENSITIVE);

  private final List<Path> found = new ArrayList<>();
  private final List<String> unresolved = new ArrayList<>();

  /** Entries that are not on this machine, or cannot be read. */
  final List<String> absent = new ArrayList<>();

  /**
   * Takes entries as Java does: a jar, a folder of classes, or {@code FOLDER/*} for its jars.
   * Entries with an unknown variable, and relative ones, are not searched.
   */
  ClassPath(Collection<String> entries) {
    entries.stream().map(String::trim).filter(e -> !e.isEmpty()).forEach(this::add);
  }

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
        Path folder = Paths.get(entry.substring(0, entry.length() - 1));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
          jars.forEach(this::add);
        }
      } else {
        add(Paths.get(entry));
      }
    } catch (IOException | InvalidPathException e) {
      absent.add(entry);
    }
  }

  private void add(Path entry) {
    // A pipe by that name would not answer.
    if (Files.isDirectory(entry) || (Files.isRegularFile(entry) && Files.isReadable(entry))) {
      found.add(entry);
    } else {
      absent.add(entry.toString());
    }
  }

  /** True if every entry could be resolved. */
  boolean searched() {
    return unresolved.isEmpty();
  }

  /** Applies a look-up to a class loader of the entries found, without a parent. */
  <T> T look(Function<ClassLoader, T> look) {
    List<URL> urls = new ArrayList<>();
    try {
      for (Path entry : found) {
        urls.add(entry.toUri().toURL());
      }
      try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), null)) {
        return look.apply(loader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns those of the classes that no searched entry holds. */
  List<String> missing(List<String> classes) {
    return look(
        loader ->
            classes.stream()
                .filter(name -> loader.getResource(name.replace('.', '/') + ".class") == null)
                .collect(Immutable.toList()));
  }

  /**
   * Reports TempTier's classes that the class path lacks: an ERROR where this machine can tell,
   * UNKNOWN where it cannot.
   *
   * @param path the class path as it is to be told of, with what follows from a missing class
   * @param isNodes whether what is missing on this machine is missing on the node
   */
  Optional<Finding> lookFor(List<String> classes, boolean isNodes, Finding path) {
    List<String> missing = missing(classes);
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    String unsearched =
        Stream.concat(unresolved.stream(), isNodes ? Stream.empty() : absent.stream())
            .filter(ClassPath::namesDropInJars)
            .collect(Collectors.joining(", "));
    String names = String.join(", ", missing);
    String gone =
        absent.isEmpty() ? "" : " Missing, or no readable jar: " + String.join(", ", absent) + ".";
    return Optional.of(
        unsearched.isEmpty()
            ? told("jars.lost", path, names, gone, star(classes))
            : told("jars.unknown", path, names, unsearched, ""));
  }

  static Optional<Finding> unfit(
      Optional<JarCheck.Trouble> trouble, Finding path, String consequence) {
    return trouble.map(
        found -> told("jars.unfit", path, found.what() + consequence, found.remedy(), ""));
  }

  /** A remedy where a folder of jars is named as if it were one of classes, or by a pattern. */
  private String star(List<String> classes) {
    return Stream.concat(found.stream().map(Path::toString), absent.stream())
        .map(entry -> entry.replaceFirst("(/[*][.]jar)?$", "/*"))
        .filter(entry -> new ClassPath(Immutable.listOf(entry)).missing(classes).isEmpty())
        .findFirst()
        .map(entry -> "Write " + entry + " for the jars of that folder. ")
        .orElse("");
  }

  private static Finding told(
      String trouble, Finding path, String what, String more, String remedy) {
    return Troubles.of(
        trouble,
        path.key(),
        path.value(),
        path.origin(),
        what,
        more,
        path.consequence(),
        path.remedy(),
        remedy);
  }
}
