// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import io.temptier.tier.text.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;

/** The tiers of an executor's local dirs. */
@AutoValue
abstract class SparkTiers {

  /** Tagged dirs, where no NodeManager tells. */
  static final String DIRS_KEY = "spark.temptier.local-dirs";

  /** Of the dirs that have a home. */
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
    if (found.tiers().layout().tiers().size() < 2) {
      throw new StockException(
          "its local dirs are all on one medium, " + found.tiers().layout() + ": " + found.dirOf());
    }
    return found;
  }

  /** Whether the NodeManager tells the tiers, and an application has folders of its own. */
  static boolean onYarn(SparkConf conf) {
    return conf.get("spark.master", "").startsWith("yarn");
  }

  private static SparkTiers ofMarker(List<Path> homes) throws StockException {
    List<Path> roots =
        homes.stream().map(home -> NodeMarker.rootOf(parent(home))).collect(Immutable.toList());
    Optional<NodeTiers> marked =
        roots.stream()
            .distinct()
            .flatMap(root -> NodeMarker.read(root).map(Stream::of).orElseGet(Stream::empty))
            .findFirst();
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
        return "TempTier is off in the NodeManager of this node, which says in "
            + root.resolve(NodeMarker.DIR).resolve(NodeMarker.OFF)
            + ": "
            + why.get();
      }
    }
    return "no NodeManager with TempTier left its marker in "
        + roots
        + "; add TempTier to the NodeManager of this node (docs/install.md), or see whether"
        + " temptier.enabled is false there";
  }

  private static SparkTiers elsewhere(SparkConf conf, List<Path> homes) throws StockException {
    List<LocalDir> dirs = new ArrayList<>();
    List<Path> roots = new ArrayList<>();
    KernelClassifier kernel = new KernelClassifier();
    LocalDirsParser.Parsed tagged =
        LocalDirsParser.parse(DIRS_KEY, conf.get(DIRS_KEY, ""), "Spark's configuration");
    for (Finding finding : tagged.findings()) {
      if (finding.severity() == Finding.Severity.ERROR) {
        throw new StockException(finding.toString());
      }
    }
    for (Path home : homes) {
      Optional<LocalDirsParser.Entry> entry =
          tagged.entries().stream().filter(dir -> home.startsWith(dir.path())).findFirst();
      if (!entry.isPresent() && !tagged.entries().isEmpty()) {
        throw new StockException(
            DIRS_KEY
                + " does not list the dir that "
                + home
                + " is in; list all of spark.local.dir");
      }
      Path root = entry.map(LocalDirsParser.Entry::path).orElse(parent(home));
      if (!roots.contains(root)) {
        Medium medium =
            entry
                .flatMap(LocalDirsParser.Entry::medium)
                .orElseGet(() -> kernel.classify(root).medium());
        long cap = entry.map(LocalDirsParser.Entry::capBytes).orElse(LocalDir.NO_CAP);
        LocalDir dir = LocalDir.of(root, medium, cap, "of " + DIRS_KEY + " or the kernel");
        dirs.add(dir.pinned(MountPin.of(root).orElse(null)));
      }
      roots.add(root);
    }
    TierLayout layout =
        TierLayout.of(dirs, Immutable.listOf(Medium.values()), medium -> Reserve.DEFAULT);
    return matched(NodeTiers.of(layout, TierSettings.DEFAULT), roots, layout.paths());
  }

  private static SparkTiers matched(NodeTiers tiers, List<Path> roots, List<Path> all)
      throws StockException {
    List<LocalDir> dirOf = new ArrayList<>();
    for (Path root : roots) {
      dirOf.add(
          tiers.layout().dirs().stream()
              .filter(dir -> dir.path().equals(root))
              .findFirst()
              .orElseThrow(
                  () ->
                      new StockException(
                          root
                              + " is not in the node's tiers "
                              + tiers.layout().dirs()
                              + "; was the NodeManager restarted with other local dirs?")));
    }
    return new AutoValue_SparkTiers(tiers, Immutable.copyOf(dirOf), Immutable.copyOf(all));
  }

  private static Path parent(Path home) {
    return Objects.requireNonNull(home.toAbsolutePath().normalize().getParent());
  }
}
