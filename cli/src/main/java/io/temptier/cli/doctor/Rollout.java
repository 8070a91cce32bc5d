// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.TierConfig;
import io.temptier.tier.Finding;
import io.temptier.tier.KernelClassifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * What is about to be rolled out, as Hadoop will see it.
 *
 * @param confDir the folder
 * @param isHere whether a local dir is on this machine, so that it can be the node
 * @param files the site files there are
 * @param node what a NodeManager reads: core and yarn
 * @param job what a MapReduce job reads: core, mapred and yarn
 * @param kernel what this machine's kernel knows of dirs
 * @param tiers what TempTier makes of it on this machine
 */
public record Rollout(
    Path confDir,
    boolean isHere,
    List<SiteFile> files,
    Configuration node,
    Configuration job,
    KernelClassifier kernel,
    TierConfig.Resolution tiers) {
  static final String CORE_SITE = "core-site.xml";
  static final String MAPRED_SITE = "mapred-site.xml";
  static final String YARN_SITE = "yarn-site.xml";

  /** In the order in which Hadoop reads them. */
  static final List<String> SITE_FILES = List.of(CORE_SITE, MAPRED_SITE, YARN_SITE);

  /** Copies the list. */
  public Rollout {
    files = List.copyOf(files);
  }

  /** That file, if it is there. */
  public Optional<SiteFile> file(String name) {
    return files.stream().filter(file -> file.name().equals(name)).findFirst();
  }

  /** Every key that some site file sets, includes left out. */
  public Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    files.forEach(file -> file.entries().forEach(entry -> keys.add(entry.key())));
    return keys;
  }

  /** Whether a site file, and not only a default, gives {@code key} its value. */
  public boolean isSet(Configuration conf, String key) {
    String source = source(conf, key);
    return !source.isEmpty() && !source.endsWith("-default.xml");
  }

  /**
   * Where the value of a key came from.
   *
   * @param conf {@link #node} or {@link #job}
   * @return for example {@code yarn-site.xml, line 12}
   */
  public String origin(Configuration conf, String key) {
    String source = source(conf, key);
    if (source.isEmpty()) {
      return "not set";
    }
    for (SiteFile file : files) {
      if (source.equals(file.path().toString())) {
        return file.name() + line(file, key, conf);
      }
    }
    return source.endsWith("-default.xml") ? "default, " + source : source;
  }

  /**
   * A finding of a check that knows the file at most, with the line.
   *
   * @param conf {@link #node} or {@link #job}
   */
  public Finding located(Configuration conf, Finding finding) {
    if (!isSet(conf, finding.key())) {
      return finding;
    }
    return new Finding(
        finding.severity(),
        finding.key(),
        finding.value(),
        origin(conf, finding.key()),
        finding.consequence(),
        finding.remedy());
  }

  private static String line(SiteFile file, String key, Configuration conf) {
    List<SiteFile.Entry> entries = new ArrayList<>(file.of(key));
    Collections.reverse(entries);
    String raw = String.valueOf(conf.getRaw(key)).trim();
    for (SiteFile.Entry entry : entries) {
      if (raw.equals(entry.value())) {
        return ", line " + entry.line();
      }
    }
    return ", by an include";
  }

  private static String source(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources.length == 0 ? "" : sources[sources.length - 1];
  }
}
