// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.lang.Immutable;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
        addJarsOf(Paths.get(entry.substring(0, entry.length() - 1)));
      } else if (Files.isDirectory(Paths.get(entry))) {
        folders.add(Paths.get(entry));
      } else {
        addJar(Paths.get(entry));
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

  /** The jars and folders that hold a class, one that has several names once. */
  List<Path> holding(NamedClass one) {
    Map<Path, Path> once = new LinkedHashMap<>();
    holders(one).forEach(entry -> once.putIfAbsent(real(entry), entry));
    return Immutable.listFrom(once.values());
  }

  private static Path real(Path entry) {
    try {
      return entry.toRealPath();
    } catch (IOException e) {
      return entry;
    }
  }

  /** What is to be said of the jars, seen as by a JVM that has them on its class path. */
  <T> T jars(Function<JarCheck, T> look) {
    List<URL> urls = new ArrayList<>();
    try {
      for (Path entry :
          Stream.concat(folders.stream(), jars.stream()).collect(Immutable.toList())) {
        urls.add(entry.toUri().toURL());
      }
      try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), null)) {
        return look.apply(JarCheck.of(loader));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> holders(NamedClass one) {
    return Stream.concat(folders.stream(), jars.stream())
        .filter(
            entry ->
                new ClassPath(Immutable.listOf(entry.toString()))
                    .missing(Immutable.listOf(one))
                    .isEmpty())
        .distinct()
        .collect(Immutable.toList());
  }

  /** Entries whose variables are not known here. */
  List<String> unresolved() {
    return unresolved;
  }

  /** Entries that are not on this machine, or cannot be read. */
  List<String> absent() {
    return absent;
  }

  /**
   * What there is to say of the classes that a class path does not hold. Whether it is as good as
   * the node's own differs: an ERROR where this machine can tell, UNKNOWN where it cannot.
   */
  @AutoValue
  abstract static class Search {
    abstract ClassPath path();

    /** What gives it. */
    abstract String key();

    abstract String value();

    /** Where that stands. */
    abstract String origin();

    /** Whether what is missing on this machine is missing on the node. */
    abstract boolean isNodes();

    /** Why Hadoop's own jars were not searched, in a sentence; empty if they were. */
    abstract String notSearched();

    /** What follows when a class is not found. */
    abstract String consequence();

    /** What to do about it. */
    abstract String remedy();

    static Search of(
        ClassPath path,
        String key,
        String value,
        String origin,
        boolean isNodes,
        String notSearched,
        String consequence,
        String remedy) {
      return new AutoValue_ClassPath_Search(
          path, key, value, origin, isNodes, notSearched, consequence, remedy);
    }

    List<Finding> lookFor(List<NamedClass> named) {
      List<NamedClass> missing = path().missing(named);
      List<String> unsearched = new ArrayList<>(path().unresolved());
      if (!isNodes()) {
        unsearched.addAll(path().absent());
      }
      // Of TempTier's own jars it is known how their folder is called.
      List<String> ofOurs =
          unsearched.stream().filter(ClassPath::namesDropInJars).collect(Immutable.toList());
      return Stream.concat(
              finding(
                      missing.stream().filter(NamedClass::isOurs).collect(Immutable.toList()),
                      ofOurs,
                      true)
                  .map(Stream::of)
                  .orElseGet(Stream::empty),
              finding(
                      missing.stream().filter(each -> !each.isOurs()).collect(Immutable.toList()),
                      unsearched,
                      notSearched().isEmpty())
                  .map(Stream::of)
                  .orElseGet(Stream::empty))
          .collect(Immutable.toList());
    }

    private Optional<Finding> finding(
        List<NamedClass> missing, List<String> unsearched, boolean known) {
      if (missing.isEmpty()) {
        return Optional.empty();
      }
      String names = missing.stream().map(NamedClass::toString).collect(Collectors.joining(", "));
      boolean unknown = !unsearched.isEmpty() || !known;
      StringBuilder text = new StringBuilder();
      text.append(unknown ? "It cannot be told from here whether it holds " : "It does not hold ");
      text.append(names).append(".");
      if (!unsearched.isEmpty()) {
        text.append(" Not on this machine, or begins with a variable that is not set here: ");
        text.append(String.join(", ", unsearched)).append(".");
      } else if (!path().absent().isEmpty()) {
        text.append(" Missing, or no readable jar: ");
        text.append(String.join(", ", path().absent())).append(".");
      }
      if (!notSearched().isEmpty()) {
        text.append(" Hadoop's own jars were not searched: ").append(notSearched());
      }
      text.append(" ").append(consequence());
      return Optional.of(
          Finding.of(
              unknown ? Severity.UNKNOWN : Severity.ERROR,
              key(),
              value(),
              origin(),
              text.toString(),
              (unknown ? "Run the doctor on a node. " : "") + remedy()));
    }
  }
}
