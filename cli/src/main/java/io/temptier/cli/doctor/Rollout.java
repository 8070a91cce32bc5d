// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  /** What Tez reads. */
  public static final String TEZ_SITE = "tez-site.xml";

  /** What NodeManagers read. */
  public static final String YARN_SITE = "yarn-site.xml";

  /** In the order in which Hadoop reads them. */
  static final List<String> SITE_FILES =
      Immutable.listOf(CORE_SITE, MAPRED_SITE, TEZ_SITE, YARN_SITE);

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
    Set<String> keys = new TreeSet<>();
    files().forEach(file -> file.entries().forEach(entry -> keys.add(entry.key())));
    return keys;
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
    for (LocatedProperties file : files()) {
      if (source.equals(file.path().toString())) {
        return file.name() + line(file, key, conf);
      }
    }
    return source.endsWith("-default.xml") ? "default, " + source : source;
  }

  /** The one finding of a check: something to say of a property as NodeManagers read it. */
  List<Finding> ofNode(Severity severity, String key, String consequence, String remedy) {
    String value = node().getTrimmed(key, "");
    return Immutable.listOf(
        Finding.of(severity, key, value, origin(node(), key), consequence, remedy));
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
    return LISTS.contains(found.key())
        ? Stream.of(found.value().split(",", -1))
            .map(dir -> asWritten(conf, found.key(), dir))
            .collect(Collectors.joining(","))
        : found.value();
  }

  private static String asWritten(Configuration conf, String key, String dir) {
    List<Path> asked = paths(dir);
    return Stream.of(conf.getTrimmedStrings(key))
        .filter(entry -> !asked.isEmpty() && paths(entry).equals(asked))
        .findFirst()
        .orElse(dir);
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
