// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
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
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A class path, searched on this machine: the classes it does not hold, and what was not there. */
final class ClassPath {
  /** TempTier's jars by any of their names, or a folder or variable named after the project. */
  private static final Pattern DROP_IN =
      Pattern.compile(
          "temptier|shuffle-tier|spark-tier|tiered-localdirs", Pattern.CASE_INSENSITIVE);

  private final List<Path> found = new ArrayList<>();
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

  /** Entries that are not on this machine, or cannot be read. */
  List<String> absent() {
    return absent;
  }

  /** What there is to say of it, seen as by a JVM that has it. */
  private <T> T look(Function<ClassLoader, T> look) {
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

  /** What is to be said of the jars in it. */
  <T> T jars(Function<JarCheck, T> look) {
    return look(loader -> look.apply(JarCheck.of(loader)));
  }

  /** Which of these classes no entry holds that could be searched. */
  List<String> missing(List<String> classes) {
    return look(
        loader ->
            classes.stream()
                .filter(name -> loader.getResource(name.replace('.', '/') + ".class") == null)
                .collect(Immutable.toList()));
  }

  /**
   * What there is to say of TempTier's classes that it does not hold: an ERROR where this machine
   * can tell, UNKNOWN where it cannot.
   *
   * @param path what names the class path, its value and where that stands; of the rest only those
   *     count
   * @param isNodes whether what is missing on this machine is missing on the node
   */
  List<Finding> lookFor(List<String> classes, boolean isNodes, Finding path) {
    List<String> missing = missing(classes);
    if (missing.isEmpty()) {
      return Immutable.listOf();
    }
    List<String> unsearched =
        Stream.concat(unresolved.stream(), isNodes ? Stream.empty() : absent.stream())
            .filter(ClassPath::namesDropInJars)
            .collect(Immutable.toList());
    boolean unknown = !unsearched.isEmpty();
    String text =
        (unknown ? "It cannot be told from here whether it holds " : "It does not hold ")
            + String.join(", ", missing)
            + ".";
    if (unknown) {
      text += " Not on this machine, or begins with a variable that is not set here: ";
      text += String.join(", ", unsearched) + ".";
    } else if (!absent.isEmpty()) {
      text += " Missing, or no readable jar: " + absent.stream().collect(Collectors.joining(", "));
      text += ".";
    }
    return Immutable.listOf(
        Finding.of(
            unknown ? Severity.UNKNOWN : Severity.ERROR,
            path.key(),
            path.value(),
            path.origin(),
            text + " " + path.consequence(),
            (unknown ? "Run the doctor on a node. " : "") + path.remedy()));
  }
}
