// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Deadline;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.ConfigUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/** The files of a folder that are about to be rolled out, as daemons and tasks will read them. */
@AutoValue
public abstract class Rollout {
  public static final String CORE_SITE = "core-site.xml";
  public static final String MAPRED_SITE = "mapred-site.xml";
  public static final String YARN_SITE = "yarn-site.xml";

  /** Site files in the order in which Hadoop reads them. */
  static final List<String> SITE_FILES =
      Immutable.listOf(CORE_SITE, MAPRED_SITE, "tez-site.xml", YARN_SITE);

  private static final List<String> LISTS =
      Immutable.listOf(TierKey.LOCAL_DIRS.key(), YarnConfiguration.NM_LOCAL_DIRS);

  /** The site files that could be read. */
  public abstract List<LocatedProperties> files();

  /** Findings about files that cannot be read; if there are any, the rest says little. */
  public abstract List<Finding> broken();

  /** True if a local dir is on this machine, so that it can be the node. */
  public abstract boolean isHere();

  /** Configuration of a NodeManager: core and yarn. */
  public abstract Configuration node();

  /** Configuration of a MapReduce job: core, mapred, tez and yarn. */
  public abstract Configuration job();

  abstract EnvScripts scripts();

  public abstract KernelClassifier kernel();

  /** Tiers that TempTier would make of it on this machine. */
  abstract TierConfig.Resolution tiers();

  public static Rollout read(Path folder) {
    return Deadline.orFail("read " + folder, () -> read(folder, new KernelClassifier()));
  }

  /** Reads a folder's site files, with what is known of this machine's disks. */
  public static Rollout read(Path folder, KernelClassifier kernel) {
    // Names that Hadoop gave up are mapped to the new ones from here on.
    ConfigUtil.loadResources();
    // Absolute, since Hadoop takes the parent of a file for the base of its includes.
    Path confDir = folder.toAbsolutePath().normalize();
    List<LocatedProperties> files = new ArrayList<>();
    List<Finding> broken = new ArrayList<>();
    for (String name : SITE_FILES) {
      Path path = confDir.resolve(name);
      if (Files.exists(path)) {
        try {
          files.add(file(path));
        } catch (IOException | XMLStreamException | RuntimeException | StackOverflowError e) {
          // Hadoop wraps what its parser says.
          Throwable why = e instanceof RuntimeException && e.getCause() != null ? e.getCause() : e;
          broken.add(broken(path, why));
        }
      }
    }
    Configuration node = load(files, "core", "yarn");
    Configuration job = load(files, "core", "mapred", "tez", "yarn");
    // If this machine cannot be the node, its kernel has nothing to say.
    boolean isHere = TierConfig.localDirs(node).stream().anyMatch(Files::isDirectory);
    TierConfig.Resolution tiers =
        isHere ? TierConfig.resolve(node, kernel) : TierConfig.resolveElsewhere(node);
    return new AutoValue_Rollout(
        files, broken, isHere, node, job, new EnvScripts(confDir), kernel, tiers);
  }

  /** Reads a folder's site files, or ends the command when one is broken. */
  public static Rollout readOrFail(Path folder) {
    Rollout read = read(folder);
    if (!read.broken().isEmpty()) {
      throw new CommandFailure(
          String.format(
              "The files in %1$s cannot be read. `temptier doctor --conf-dir %1$s` says why.",
              folder.toAbsolutePath().normalize()));
    }
    return read;
  }

  public boolean isEmpty() {
    return files().isEmpty() && broken().isEmpty();
  }

  private static LocatedProperties file(Path path) throws IOException, XMLStreamException {
    if (!Files.isRegularFile(path)) {
      // A pipe would not answer.
      throw new IOException("no regular file");
    }
    LocatedProperties file = LocatedProperties.read(path);
    // Hadoop's own parser follows includes.
    Configuration alone = new Configuration(false);
    alone.addResource(hadoopPath(path));
    int unused = alone.size();
    return file;
  }

  private static Configuration load(List<LocatedProperties> files, String... kinds) {
    Configuration conf = new Configuration(false);
    for (String kind : kinds) {
      conf.addResource(kind + "-default.xml");
      for (LocatedProperties file : files) {
        if (file.name().equals(kind + "-site.xml")) {
          conf.addResource(hadoopPath(file.path));
        }
      }
    }
    return conf;
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri().getPath());
  }

  private static Finding broken(Path path, Throwable why) {
    String name = String.valueOf(path.getFileName());
    if (!(why instanceof XMLStreamException)) {
      String text =
          why instanceof AccessDeniedException
              ? "user " + System.getProperty("user.name") + " may not read it"
              : why instanceof StackOverflowError
                  ? "it includes itself"
                  : String.valueOf(why.getMessage());
      return Troubles.of("file.unreadable", name, text, path.toString());
    }
    String where = "";
    String file = path.toString();
    @Nullable Location location = ((XMLStreamException) why).getLocation();
    if (location != null) {
      where = "line " + location.getLineNumber() + ", column " + location.getColumnNumber();
      // The file that is broken may be one that this one includes.
      String system = location.getSystemId();
      file = system == null || system.endsWith(file) ? file : system + ", included by " + file;
    }
    String what = String.valueOf(why.getMessage()).replaceFirst("(?s)\\s+at \\[row.*", "");
    return Troubles.of("file.malformed", name, where, file, what);
  }

  public Optional<LocatedProperties> file(String name) {
    return files().stream().filter(file -> file.name().equals(name)).findFirst();
  }

  /** Every key that some site file sets, includes left out. */
  public Set<String> keys() {
    return files().stream()
        .flatMap(file -> file.entries.stream())
        .map(entry -> entry.key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  boolean wanted() {
    return node().getBoolean(TierKey.ENABLED.key(), true);
  }

  /** The local dirs of all tiers; empty where there are no tiers. */
  List<LocalDir> dirs() {
    return tiers().tiers().map(node -> node.layout().dirs()).orElse(Immutable.listOf());
  }

  /**
   * Looks a variable of containers up in a property such as {@code mapreduce.map.env}: in its list,
   * as {@code A=1,B=2}, or by its name, as {@code mapreduce.map.env.A}.
   *
   * @return the values by the property that has them; empty when there is none
   */
  static Map<String, String> variable(Configuration conf, String property, String name) {
    Map<String, String> found = new LinkedHashMap<>();
    Matcher listed =
        Pattern.compile("(?:^|,)\\s*" + Pattern.quote(name) + "=([^,]*)")
            .matcher(conf.get(property, ""));
    while (listed.find()) {
      found.put(property, listed.group(1).trim());
    }
    String value = conf.getTrimmed(property + "." + name, "");
    if (!value.isEmpty()) {
      found.put(property + "." + name, value);
    }
    return found;
  }

  /** True if a site file, and not only a default, gives {@code key} its value. */
  public boolean isSet(Configuration conf, String key) {
    String source = source(conf, key);
    return !source.isEmpty() && !source.endsWith("-default.xml");
  }

  /** Tells where the value of a key came from, for example {@code yarn-site.xml, line 12}. */
  public String origin(Configuration conf, String key) {
    String source = source(conf, key);
    if (source.isEmpty()) {
      return "not set";
    }
    return files().stream()
        .filter(file -> source.equals(file.path.toString()))
        .findFirst()
        .map(file -> file.name() + line(file, key, conf))
        .orElse(source.endsWith("-default.xml") ? "default, " + source : source);
  }

  /** A trouble with a property as NodeManagers read it. */
  Finding ofNode(String trouble, String key, Object... values) {
    return Troubles.of(trouble, key, node().getTrimmed(key, ""), origin(node(), key), values);
  }

  /** A finding of TempTier's own, which knows the file at most, with the line. */
  Finding located(Finding found, Finding.Severity severity) {
    String key = found.key();
    String origin = isSet(node(), key) ? origin(node(), key) : found.origin();
    return Finding.of(severity, key, asWritten(found), origin, found.consequence(), found.remedy());
  }

  /** Returns the local dirs as the file writes them, not as TempTier would. */
  private String asWritten(Finding found) {
    // What cannot be read has no value.
    if (!LISTS.contains(found.key()) || found.value().isEmpty()) {
      return found.value();
    }
    List<Path> asked = paths(found.value());
    String written =
        Stream.of(node().getTrimmedStrings(found.key()))
            .filter(entry -> !Collections.disjoint(paths(entry), asked))
            .collect(Collectors.joining(","));
    return written.isEmpty() ? found.value() : written;
  }

  private static List<Path> paths(String dir) {
    return LocalDirsParser.parse("", dir, "").entries().stream()
        .map(LocalDirsParser.Entry::path)
        .collect(Immutable.toList());
  }

  /** Picks the last of several lines that set a key to the value in effect. */
  private static String line(LocatedProperties file, String key, Configuration conf) {
    String raw = String.valueOf(conf.getRaw(key)).trim();
    return file.entries.stream()
        .filter(entry -> entry.key.equals(key) && raw.equals(entry.value))
        .reduce((first, second) -> second)
        .map(entry -> ", line " + entry.line)
        .orElse(", by an include");
  }

  private static String source(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources.length == 0 ? "" : sources[sources.length - 1];
  }
}
