// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Sizes;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads lists of local dirs in HDFS's tag syntax, with an optional cap: {@code
 * [NVME:200g]/nvme0/yarn,[DISK]/hdd0/yarn,/untagged}. Splits, trims and normalises exactly as YARN
 * does with {@code yarn.nodemanager.local-dirs}, so that the paths of the two lists can be
 * compared.
 *
 * <p>An instance reads one list. The static methods are pure.
 */
public final class LocalDirsParser {
  private static final Pattern SEPARATOR = Pattern.compile("\\s*[,\\n]\\s*");
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)");
  private static final Pattern AUTHORITY = Pattern.compile("//([^/]*)(.*)");
  private static final Pattern ODD = Pattern.compile("[\\s\\p{Z}\\p{Cntrl}\\p{Cf}]");
  private static final String FILE_SCHEME = "file";
  private static final String DEFINE = "Define the variable, or write the dir out.";
  private static final String EXAMPLE = "Write it as [NVME]/nvme0/yarn or [NVME:200g]/nvme0/yarn.";

  private final String key;
  private final String origin;
  private final boolean tags;
  private final Map<Path, Entry> entries = new LinkedHashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  private LocalDirsParser(String key, String origin, boolean tags) {
    this.key = key;
    this.origin = origin;
    this.tags = tags;
  }

  /** One entry of a list. */
  @AutoValue
  public abstract static class Entry {
    /** Absolute and normalised. */
    public abstract Path path();

    /** Its tag, or empty when it has none. */
    public abstract Optional<Medium> medium();

    /** Its cap, or {@link LocalDir#NO_CAP}. */
    public abstract long capBytes();

    public static Entry of(Path path, Optional<Medium> medium, long capBytes) {
      return new AutoValue_LocalDirsParser_Entry(path, medium, capBytes);
    }
  }

  /** A list and what is wrong with it. */
  @AutoValue
  public abstract static class Parsed {
    /** The entries that could be read, in their order, each path once. */
    public abstract List<Entry> entries();

    /** The problems; with an ERROR among them, the list is not to be used. */
    public abstract List<Finding> findings();

    public static Parsed of(List<Entry> entries, List<Finding> findings) {
      entries = Immutable.copyOf(entries);
      findings = Immutable.copyOf(findings);
      return new AutoValue_LocalDirsParser_Parsed(entries, findings);
    }
  }

  /**
   * Reads a list with tags, as in {@code temptier.local-dirs}. Never throws.
   *
   * @param key the property, for the findings
   * @param value its value; a blank one is an empty list
   * @param origin where the value came from, for the findings
   */
  public static Parsed parse(String key, String value, String origin) {
    return new LocalDirsParser(key, origin, true).read(value);
  }

  /**
   * Reads a list without tags, as in {@code yarn.nodemanager.local-dirs}. Never throws. More
   * lenient than {@link #parse}: what stock Hadoop takes is at most a warning here, as it is not
   * ours.
   *
   * @param key the property, for the findings
   * @param value its value; a blank one is an empty list
   * @param origin where the value came from, for the findings
   */
  public static Parsed parsePlain(String key, String value, String origin) {
    return new LocalDirsParser(key, origin, false).read(value);
  }

  /**
   * The path of one dir without a tag, as Hadoop takes it: {@code file:///nvme0/yarn} is {@code
   * /nvme0/yarn}. Never throws.
   *
   * @return absolute and normalised; empty when it is no absolute path of this machine
   */
  public static Optional<Path> pathOf(String dir) {
    return new LocalDirsParser("", "", false).readPath(dir.trim(), dir);
  }

  private Parsed read(String value) {
    if (!value.trim().isEmpty()) {
      // Like YARN's own split, this drops empty entries at the end.
      for (String text : SEPARATOR.splitAsStream(value.trim()).collect(Immutable.toList())) {
        try {
          readEntry(text).ifPresent(entry -> add(entry, text));
        } catch (IllegalArgumentException e) {
          error(text, "The cap is wrong: " + e.getMessage() + ".", EXAMPLE);
        }
      }
      findNested();
    }
    return Parsed.of(Immutable.listFrom(entries.values()), findings);
  }

  private Optional<Entry> readEntry(String text) {
    if (text.isEmpty()) {
      empty();
      return Optional.empty();
    }
    if (!text.startsWith("[")) {
      return readPath(text, text).map(path -> Entry.of(path, Optional.empty(), LocalDir.NO_CAP));
    }
    if (!tags) {
      error(
          text,
          "Tags do not belong here; YARN takes it for a relative dir of that odd name.",
          "Put the tagged list into temptier.local-dirs and the bare dirs here.");
      return Optional.empty();
    }
    int end = text.indexOf(']');
    if (end < 0) {
      error(text, "The tag has no closing bracket.", EXAMPLE);
      return Optional.empty();
    }
    String tag = text.substring(1, end);
    int colon = tag.indexOf(':');
    Optional<Medium> medium = readMedium(colon < 0 ? tag : tag.substring(0, colon), text);
    long capBytes = colon < 0 ? LocalDir.NO_CAP : Sizes.parse(tag.substring(colon + 1));
    Optional<Path> path = readPath(text.substring(end + 1).trim(), text);
    return !medium.isPresent()
        ? Optional.empty()
        : path.map(found -> Entry.of(found, medium, capBytes));
  }

  private void empty() {
    if (tags) {
      findings.add(
          Finding.warning(
              key, "", origin, "An empty entry in the list is passed over.", "Drop the comma."));
    } else {
      error(
          "",
          "An empty entry in the list, with which YARN itself does not start.",
          "Drop the comma.");
    }
  }

  private Optional<Medium> readMedium(String tag, String text) {
    Optional<Medium> medium = Medium.parse(tag);
    if (!medium.isPresent()) {
      String meant =
          NearestName.ofMedium(tag).map(near -> "Did you mean " + near + "? ").orElse("");
      error(
          text,
          tag.trim().isEmpty() ? "The tag is empty." : "There is no medium " + tag.trim() + ".",
          meant + "The media are " + Immutable.listOf(Medium.values()) + ".");
    }
    return medium;
  }

  private Optional<Path> readPath(String dir, String text) {
    if (dir.isEmpty()) {
      error(text, "There is no dir after the tag.", EXAMPLE);
      return Optional.empty();
    }
    if (ODD.matcher(dir).find() && odd(text)) {
      return Optional.empty();
    }
    Optional<String> bare = withoutScheme(dir, text).flatMap(path -> withoutHost(path, text));
    return bare.flatMap(path -> toPath(path, text));
  }

  private Optional<String> withoutScheme(String dir, String text) {
    Matcher scheme = SCHEME.matcher(dir);
    if (!scheme.matches()) {
      return Optional.of(dir);
    }
    if (scheme.group(1).equals(FILE_SCHEME)) {
      return Optional.of(scheme.group(2));
    }
    error(
        text,
        "It is not a local dir: its scheme is " + scheme.group(1) + ".",
        "Give an absolute path, with file: before it or nothing.");
    return Optional.empty();
  }

  /** Drops what Hadoop takes for a host: the name after two slashes at the start. */
  private Optional<String> withoutHost(String dir, String text) {
    Matcher matcher = AUTHORITY.matcher(dir);
    if (!matcher.matches()) {
      return Optional.of(dir);
    }
    String host = matcher.group(1);
    String path = matcher.group(2);
    if (!host.isEmpty() && !host.equals("localhost")) {
      error(
          text,
          "After two slashes, YARN takes "
              + host
              + " for a host, and \""
              + path
              + "\" for the dir.",
          "Begin the dir with one slash, or with file:/// and three.");
      return Optional.empty();
    }
    return Optional.of(path);
  }

  private Optional<Path> toPath(String bare, String text) {
    boolean variable = bare.contains("${");
    if (!bare.startsWith("/")) {
      error(
          text,
          variable
              ? "A variable in it was not replaced."
              : "The dir is relative, and to what depends on how the daemon was started.",
          variable
              ? DEFINE
              : "Give an absolute path, such as " + (tags ? "[NVME]" : "") + "/nvme0/yarn.");
      return Optional.empty();
    }
    if (variable) {
      warn(text, "A variable in it was not replaced, so the dir has that odd name.", DEFINE);
    }
    int tag = bare.lastIndexOf('[');
    if (tags
        && bare.endsWith("]")
        && Medium.parse(bare.substring(tag + 1, bare.length() - 1)).isPresent()) {
      error(text, "The tag stands behind the dir.", EXAMPLE);
      return Optional.empty();
    }
    try {
      Path path = Paths.get(bare);
      if (climbsOverRoot(path)) {
        error(text, "Its \"..\" lead above the root.", "Write the dir out, without \"..\".");
        return Optional.empty();
      }
      return Optional.of(path.normalize());
    } catch (InvalidPathException e) {
      error(text, "It is no path on this system: " + e.getReason() + ".", EXAMPLE);
      return Optional.empty();
    }
  }

  /** Where it does, Hadoop and Java do not agree on what is meant. */
  private static boolean climbsOverRoot(Path path) {
    int depth = 0;
    for (Path name : path) {
      depth += name.toString().equals("..") ? -1 : name.toString().equals(".") ? 0 : 1;
      if (depth < 0) {
        return true;
      }
    }
    return false;
  }

  /** Says so of a dir with a space in it; true when the dir is not to be used. */
  private boolean odd(String text) {
    String what = "There is a space or control character inside the dir; is a comma missing?";
    String remedy = "Separate dirs by commas, and rename a dir that really has a space in it.";
    if (tags) {
      error(text, what, remedy);
    } else {
      warn(text, what + " It is taken as one dir of that name, as YARN does.", remedy);
    }
    return tags;
  }

  private void add(Entry entry, String text) {
    Entry other = entries.putIfAbsent(entry.path(), entry);
    if (other == null) {
      return;
    }
    if (tags) {
      error(text, "The dir " + entry.path() + " is listed twice.", "Keep one of the two.");
    } else {
      warn(
          text,
          "The dir " + entry.path() + " is listed twice; the second is passed over.",
          "Keep one of the two.");
    }
  }

  private void findNested() {
    for (Path inner : entries.keySet()) {
      for (Path outer : entries.keySet()) {
        if (!inner.equals(outer) && inner.startsWith(outer)) {
          warn(
              inner.toString(),
              "It lies inside " + outer + ", whose use then counts it too.",
              "Give each local dir a folder of its own.");
        }
      }
    }
  }

  private void error(String text, String what, String remedy) {
    findings.add(Finding.error(key, text, origin, what, remedy));
  }

  private void warn(String text, String what, String remedy) {
    findings.add(Finding.warning(key, text, origin, what, remedy));
  }
}
