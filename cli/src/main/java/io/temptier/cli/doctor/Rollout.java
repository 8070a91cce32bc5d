// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.nio.file.Path;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What is about to be rolled out, as Hadoop will see it. */
@AutoValue
public abstract class Rollout {

  /** What all of Hadoop reads. */
  public static final String CORE_SITE = "core-site.xml";

  /** What jobs read. */
  public static final String MAPRED_SITE = "mapred-site.xml";

  /** What NodeManagers read. */
  public static final String YARN_SITE = "yarn-site.xml";

  /** In the order in which Hadoop reads them. */
  static final List<String> SITE_FILES =
      Immutable.listOf(CORE_SITE, MAPRED_SITE, "tez-site.xml", YARN_SITE);

  private static final List<String> LISTS =
      Immutable.listOf(TierKey.LOCAL_DIRS.key(), YarnConfiguration.NM_LOCAL_DIRS);

  public abstract Path confDir();

  /** Whether a local dir is on this machine, so that it can be the node. */
  public abstract boolean isHere();

  public abstract List<LocatedProperties> files();

  /** What a NodeManager reads: core and yarn. */
  public abstract Configuration node();

  /** What a MapReduce job reads: core, mapred and yarn. */
  public abstract Configuration job();

  /** What the scripts beside them set. */
  public abstract EnvScripts scripts();

  public abstract KernelClassifier kernel();

  /** What TempTier makes of it on this machine. */
  public abstract TierConfig.Resolution tiers();

  public static Rollout of(
      Path confDir,
      boolean isHere,
      List<LocatedProperties> files,
      Configuration node,
      Configuration job,
      EnvScripts scripts,
      KernelClassifier kernel,
      TierConfig.Resolution tiers) {
    files = Immutable.copyOf(files);
    return new AutoValue_Rollout(confDir, isHere, files, node, job, scripts, kernel, tiers);
  }

  public Optional<LocatedProperties> file(String name) {
    return files().stream().filter(file -> file.name().equals(name)).findFirst();
  }

  /** Every key that some site file sets, includes left out. */
  public Set<String> keys() {
    return files().stream()
        .flatMap(file -> file.entries().stream())
        .map(LocatedProperties.Entry::key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether TempTier is wanted at all. */
  boolean wanted() {
    return node().getBoolean(TierKey.ENABLED.key(), true);
  }

  /** The local dirs of all tiers; empty where there are no tiers. */
  List<LocalDir> dirs() {
    return tiers().tiers().map(node -> node.layout().dirs()).orElse(Immutable.listOf());
  }

  /**
   * What a property such as {@code mapreduce.map.env} makes of a variable of containers: by {@code
   * A=1,B=2} as its own value, or by {@code mapreduce.map.env.A}.
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
    String own = conf.getTrimmed(property + "." + name, "");
    if (!own.isEmpty()) {
      found.put(property + "." + name, own);
    }
    return found;
  }

  /** Whether a site file, and not only a default, gives {@code key} its value. */
  public boolean isSet(Configuration conf, String key) {
    String source = source(conf, key);
    return !source.isEmpty() && !source.endsWith("-default.xml");
  }

  /** Where the value of a key came from, for example {@code yarn-site.xml, line 12}. */
  public String origin(Configuration conf, String key) {
    String source = source(conf, key);
    if (source.isEmpty()) {
      return "not set";
    }
    return files().stream()
        .filter(file -> source.equals(file.path().toString()))
        .findFirst()
        .map(file -> file.name() + line(file, key, conf))
        .orElse(source.endsWith("-default.xml") ? "default, " + source : source);
  }

  /** The one finding of a check: a trouble with a property as NodeManagers read it. */
  List<Finding> ofNode(String trouble, String key, Object... said) {
    return Immutable.listOf(
        Troubles.of(trouble, key, node().getTrimmed(key, ""), origin(node(), key), said));
  }

  /** A finding of a check that knows the file at most, with the line. */
  public Finding located(Configuration conf, Finding found) {
    String key = found.key();
    String origin = isSet(conf, key) ? origin(conf, key) : found.origin();
    return Finding.of(
        found.severity(), key, asWritten(conf, found), origin, found.consequence(), found.remedy());
  }

  /** Of local dirs what the file says, and not how TempTier would write it. */
  private static String asWritten(Configuration conf, Finding found) {
    List<Path> asked = LISTS.contains(found.key()) ? paths(found.value()) : Immutable.listOf();
    String written =
        Stream.of(conf.getTrimmedStrings(found.key()))
            .filter(entry -> !Collections.disjoint(paths(entry), asked))
            .collect(Collectors.joining(","));
    return written.isEmpty() ? found.value() : written;
  }

  private static List<Path> paths(String dir) {
    return LocalDirsParser.parse("", dir, "").entries().stream()
        .map(LocalDirsParser.Entry::path)
        .collect(Immutable.toList());
  }

  /** Of several lines that set a key the last one with the value in effect. */
  private static String line(LocatedProperties file, String key, Configuration conf) {
    String raw = String.valueOf(conf.getRaw(key)).trim();
    return file.of(key).stream()
        .filter(entry -> raw.equals(entry.value()))
        .reduce((first, second) -> second)
        .map(entry -> ", line " + entry.line())
        .orElse(", by an include");
  }

  private static String source(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources.length == 0 ? "" : sources[sources.length - 1];
  }
}
