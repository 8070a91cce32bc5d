// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.conf.SparkService;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.spark.SparkConf;
import org.apache.spark.network.shuffle.ExternalShuffleBlockResolver;

/** The tiers of an executor's local dirs. */
@AutoValue
abstract class SparkTiers {
  /** Tagged dirs, where no NodeManager tells. */
  static final String DIRS_KEY = "spark.temptier.local-dirs";

  private static final String SERVICE = "spark.shuffle.service.enabled";
  private static final Pattern OF_WORKER =
      Pattern.compile("spark-[-0-9a-f]{36}/executor-[-0-9a-f]{36}");

  /** Tiers of the dirs that have a home. */
  abstract NodeTiers tiers();

  /** The dir of each home, in Spark's order. */
  abstract List<LocalDir> dirOf();

  /** All dirs of the node that are known, fastest first. */
  abstract List<Path> roots();

  /** Spark is to place its files itself; the message says why. */
  static final class StockException extends Exception {
    StockException(String why) {
      super(why);
    }
  }

  /**
   * Finds out: on YARN from what the NodeManager left in the dirs, elsewhere from the tags of
   * {@value #DIRS_KEY}, or else from the kernel.
   *
   * @param homes the folders that Spark made, one in each dir
   */
  static SparkTiers of(SparkConf conf, List<Path> homes) throws StockException {
    SparkTiers found = onYarn(conf) ? ofMarker(homes) : elsewhere(conf, homes);
    if (refusesLinks(conf, ExternalShuffleBlockResolver.class.getClassLoader())
        || (conf.getBoolean(SERVICE, false) && !found.tiers().settings().sparkLinks())) {
      throw new StockException(
          "the shuffle service follows no link. Set "
              + SparkService.VERIFY
              + "=false for it and for jobs");
    }
    if (found.tiers().layout().tiers().size() < 2) {
      throw new StockException(
          "its local dirs are all on one medium, " + found.tiers().layout() + ": " + found.dirOf());
    }
    return found;
  }

  static boolean refusesLinks(SparkConf conf, ClassLoader spark) {
    return conf.getBoolean(SERVICE, false)
        && conf.getBoolean(SparkService.VERIFY, true)
        && SparkService.verifies(spark);
  }

  /** True if the NodeManager tells the tiers, and an application has folders of its own. */
  static boolean onYarn(SparkConf conf) {
    return conf.get("spark.master", "").startsWith("yarn");
  }

  private static SparkTiers ofMarker(List<Path> homes) throws StockException {
    List<Path> roots =
        homes.stream().map(home -> NodeMarker.rootOf(parent(home))).collect(Immutable.toList());
    Optional<NodeTiers> marked = NodeMarker.readFirst(roots);
    if (!marked.isPresent()) {
      throw new StockException(whyUnmarked(roots));
    }
    TierLayout layout = marked.get().layout().restrictedTo(dir -> roots.contains(dir.path()));
    return matched(marked.get().over(layout), roots, marked.get().layout().paths());
  }

  private static String whyUnmarked(List<Path> roots) {
    for (Path root : roots) {
      Optional<String> why = NodeMarker.whyOff(root);
      if (why.isPresent()) {
        String said = root.resolve(NodeMarker.DIR).resolve(NodeMarker.OFF) + ": " + why.get();
        return "TempTier is off in the NodeManager of this node, which says in " + said;
      }
    }
    return "no NodeManager with TempTier left its marker in "
        + roots
        + "; add TempTier to the NodeManager of this node (docs/install.md), or see whether"
        + " temptier.enabled is false there";
  }

  private static SparkTiers elsewhere(SparkConf conf, List<Path> homes) throws StockException {
    LocalDirsParser.Parsed tagged =
        LocalDirsParser.parse(DIRS_KEY, conf.get(DIRS_KEY, ""), SparkKeys.ORIGIN);
    stopAtErrors(tagged.findings());
    List<Path> roots = new ArrayList<>();
    Set<String> tags = new LinkedHashSet<>();
    for (Path home : homes) {
      // Spark's paths have no links in them. Of dirs in one another the inner one is meant.
      Optional<LocalDirsParser.Entry> entry =
          tagged.entries().stream()
              .filter(dir -> home.startsWith(real(dir.path())))
              .max(Comparator.comparing(dir -> real(dir.path()).getNameCount()));
      if (!entry.isPresent() && !tagged.entries().isEmpty()) {
        throw new StockException(
            DIRS_KEY + " does not list the dir that " + home + " is in. List all of Spark's dirs.");
      }
      Path root = entry.map(dir -> real(dir.path())).orElseGet(() -> rootOf(home));
      roots.add(root);
      entry.ifPresent(dir -> tags.add(text(dir, root)));
    }
    Configuration node = SparkKeys.ofNode(conf);
    String plain = roots.stream().distinct().map(Path::toString).collect(Collectors.joining(","));
    node.set(YarnConfiguration.NM_LOCAL_DIRS, plain, SparkKeys.ORIGIN);
    node.set(TierKey.LOCAL_DIRS.key(), String.join(",", tags), SparkKeys.ORIGIN);
    TierConfig.Resolution found = TierConfig.resolveWithoutYarn(node, new KernelClassifier());
    stopAtErrors(found.findings());
    found.findings().stream()
        // Of two lists of the same dirs.
        .filter(finding -> tags.isEmpty() || !finding.key().equals(YarnConfiguration.NM_LOCAL_DIRS))
        .forEach(SparkKeys::tell);
    NodeTiers tiers = found.tiers().orElseThrow(() -> new StockException("there are no tiers"));
    TierLayout layout = tiers.layout().pinned(MountPin::of);
    return matched(tiers.over(layout), roots, layout.paths());
  }

  private static void stopAtErrors(List<Finding> findings) throws StockException {
    for (Finding finding : findings) {
      if (finding.severity() == Finding.Severity.ERROR) {
        throw new StockException(SparkKeys.words(finding));
      }
    }
  }

  private static String text(LocalDirsParser.Entry entry, Path root) {
    return entry
        .medium()
        .map(medium -> LocalDir.of(root, medium, entry.capBytes(), "").toString())
        .orElse(root.toString());
  }

  private static Path real(Path dir) {
    try {
      return dir.toRealPath();
    } catch (IOException e) {
      // Not on this node.
      return dir;
    }
  }

  /** The local dir of a home, in which a Worker makes a folder for itself and one for executors. */
  private static Path rootOf(Path home) {
    Path dir = parent(home);
    Path above = dir.getParent();
    return above != null
            && OF_WORKER.matcher(above.getFileName() + "/" + dir.getFileName()).matches()
        ? parent(above)
        : dir;
  }

  private static SparkTiers matched(NodeTiers tiers, List<Path> roots, List<Path> all)
      throws StockException {
    List<LocalDir> dirOf = new ArrayList<>();
    List<LocalDir> dirs = tiers.layout().dirs();
    for (Path root : roots) {
      String restarted = "; was the NodeManager restarted with other local dirs?";
      String why = root + " is not in the node's tiers " + dirs + restarted;
      Optional<LocalDir> found = dirs.stream().filter(dir -> dir.path().equals(root)).findFirst();
      dirOf.add(found.orElseThrow(() -> new StockException(why)));
    }
    return new AutoValue_SparkTiers(tiers, Immutable.copyOf(dirOf), Immutable.copyOf(all));
  }

  private static Path parent(Path home) {
    return Objects.requireNonNull(home.toAbsolutePath().normalize().getParent());
  }
}
