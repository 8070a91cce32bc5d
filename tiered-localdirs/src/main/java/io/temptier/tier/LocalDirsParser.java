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
  private static final Pattern SEPARATED = Pattern.compile("[;|]\\s*[/\\[]");
  private static final Pattern ODD = Pattern.compile("[\\s\\p{Z}\\p{Cntrl}\\p{Cf}]");
  private static final String FILE_SCHEME = "file";
  private static final Finding.Table FINDINGS =
      new Finding.Table(LocalDirsParser.class, "local-dirs.txt");

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

  @AutoValue
  public abstract static class Entry {
    /** Absolute and normalised. */
    public abstract Path path();

    public abstract Optional<Medium> medium();

    public abstract long capBytes();

    public static Entry of(Path path, Optional<Medium> medium, long capBytes) {
      return new AutoValue_LocalDirsParser_Entry(path, medium, capBytes);
    }
  }

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
   * Reads a list with tags, as in {@code temptier.local-dirs}; a blank one is empty. Key and origin
   * of the value are for the findings. Never throws.
   */
  public static Parsed parse(String key, String value, String origin) {
    return new LocalDirsParser(key, origin, true).read(value);
  }

  /**
   * Parses a list without tags, as in {@code yarn.nodemanager.local-dirs}. More lenient: what stock
   * Hadoop takes is at most a warning here, as it is not ours.
   */
  public static Parsed parsePlain(String key, String value, String origin) {
    return new LocalDirsParser(key, origin, false).read(value);
  }

  /**
   * Returns the path of a dir without a tag, normalised, as Hadoop takes it: {@code
   * file:///nvme0/yarn} is {@code /nvme0/yarn}. Empty when it is no absolute path of this machine.
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
          note("cap", text, String.valueOf(e.getMessage()));
        }
      }
      findNested();
    }
    return Parsed.of(Immutable.listFrom(entries.values()), findings);
  }

  private Optional<Entry> readEntry(String text) {
    if (text.isEmpty()) {
      return refuse(tags ? "empty" : "empty for YARN", "");
    }
    if (!text.startsWith("[")) {
      return readPath(text, text).map(path -> Entry.of(path, Optional.empty(), LocalDir.NO_CAP));
    }
    if (!tags) {
      return refuse("tag", text);
    }
    int end = text.indexOf(']');
    if (end < 0) {
      return refuse("bracket", text);
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

  private Optional<Medium> readMedium(String tag, String text) {
    Optional<Medium> medium = Medium.parse(tag);
    if (!medium.isPresent()) {
      note(
          tag.trim().isEmpty() ? "empty tag" : "medium",
          text,
          Immutable.listOf(Medium.values()),
          tag.trim(),
          NearestName.ofMedium(tag).map(near -> "Did you mean " + near + "? ").orElse(""));
    }
    return medium;
  }

  private Optional<Path> readPath(String dir, String text) {
    if (dir.isEmpty()) {
      return refuse("tag without dir", text);
    }
    if (SEPARATED.matcher(dir).find()) {
      return refuse("semicolon", text);
    }
    if (ODD.matcher(dir).find()) {
      note(tags ? "odd" : "odd for YARN", text);
      if (tags) {
        return Optional.empty();
      }
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
    return refuse("scheme", text, scheme.group(1));
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
      return refuse("host", text, host, path);
    }
    return Optional.of(path);
  }

  private Optional<Path> toPath(String bare, String text) {
    if (!bare.startsWith("/")) {
      return refuse(bare.contains("${") ? "no variable" : "relative", text, tags ? "[NVME]" : "");
    }
    if (bare.contains("${")) {
      note("variable", text);
    }
    int tag = bare.lastIndexOf('[');
    if (tags
        && bare.endsWith("]")
        && Medium.parse(bare.substring(tag + 1, bare.length() - 1)).isPresent()) {
      return refuse("tag behind", text);
    }
    try {
      Path path = Paths.get(bare);
      if (climbsOverRoot(path)) {
        return refuse("above root", text);
      }
      return Optional.of(path.normalize());
    } catch (InvalidPathException e) {
      return refuse("no path", text, e.getReason());
    }
  }

  /** True if the path climbs over the root: there Hadoop and Java do not agree on what is meant. */
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

  private void add(Entry entry, String text) {
    if (entries.putIfAbsent(entry.path(), entry) != null) {
      note(tags ? "twice" : "twice for YARN", text, entry.path());
    }
  }

  private void findNested() {
    for (Path inner : entries.keySet()) {
      for (Path outer : entries.keySet()) {
        if (!inner.equals(outer) && inner.startsWith(outer)) {
          note("inside", inner.toString(), outer);
        }
      }
    }
  }

  private <T> Optional<T> refuse(String name, String text, Object... values) {
    note(name, text, values);
    return Optional.empty();
  }

  private void note(String name, String text, Object... values) {
    findings.add(FINDINGS.of(name, key, text, origin, values));
  }
}
