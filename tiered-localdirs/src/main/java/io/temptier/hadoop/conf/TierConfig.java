// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.conf.DirChecks.NodeDir;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.LocalDirsParser.Entry;
import io.temptier.tier.LocalDirsParser.Parsed;
import io.temptier.tier.Medium;
import io.temptier.tier.NearestName;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.text.Finding;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Turns a Hadoop configuration, and what the kernel knows, into the tiers of a node.
 *
 * <p>How severe a finding is follows from one rule: any doubt about what the operator meant is an
 * ERROR and leaves the node to stock Hadoop; what is clear, but costs speed, is a WARNING.
 */
public final class TierConfig {
  private static final String NAME = "temptier";

  private final ConfReader reader;
  private final DirChecks checks;

  /** The node's; empty on another machine. */
  private final Optional<KernelClassifier> kernel;

  /** True if the node runs YARN, which has checks and folders of its own. */
  private final boolean yarn;

  private final List<Finding> findings = new ArrayList<>();
  private final Set<Path> unfit = new HashSet<>();
  private boolean shiftWhenSlow;

  private TierConfig(Configuration conf, Optional<KernelClassifier> kernel, boolean yarn) {
    this.reader = new ConfReader(conf, findings);
    this.checks = new DirChecks(reader);
    this.kernel = kernel;
    this.yarn = yarn;
  }

  @AutoValue
  public abstract static class Resolution {
    /**
     * Tiers to place by; empty if and only if some finding is an ERROR, or {@code temptier.enabled}
     * is false (then the only finding, an INFO, says so): behave as stock then.
     */
    public abstract Optional<NodeTiers> tiers();

    /** True if a dir is to be passed over that answers slower than the tier below. */
    public abstract boolean shiftWhenSlow();

    /** The dirs that harm who uses them, which a WARNING each says; the fast count as slow. */
    public abstract Set<Path> unfit();

    /** Everything the checks had to say, worst first. */
    public abstract List<Finding> findings();
  }

  /** Resolves the configuration of a NodeManager. Never throws on bad input; reads no secrets. */
  public static Resolution resolve(Configuration conf, KernelClassifier kernel) {
    return new TierConfig(conf, Optional.of(kernel), true).guarded();
  }

  /** Resolves like {@link #resolve}, for a process whose node has no NodeManager. */
  public static Resolution resolveWithoutYarn(Configuration conf, KernelClassifier kernel) {
    return new TierConfig(conf, Optional.of(kernel), false).guarded();
  }

  /**
   * Resolves like {@link #resolve} on a machine without the node's dirs: neither kernel nor disks
   * are asked, tags are believed, and a dir without a tag counts as {@link Medium#DISK}.
   */
  public static Resolution resolveElsewhere(Configuration conf) {
    return new TierConfig(conf, Optional.empty(), true).guarded();
  }

  /**
   * The dirs of {@code yarn.nodemanager.local-dirs} in YARN's order, whatever else is wrong in the
   * configuration. Never throws; entries that are no local dir are left out.
   */
  public static List<Path> localDirs(Configuration conf) {
    String key = YarnConfiguration.NM_LOCAL_DIRS;
    String value = new ConfReader(conf, new ArrayList<>()).raw(key);
    return LocalDirsParser.parsePlain(key, value, "").entries().stream()
        .map(Entry::path)
        .collect(Immutable.toList());
  }

  /** The keys and dirs that the operator means as they are. */
  public static Set<String> accepted(Configuration conf) {
    return new ConfReader(conf, new ArrayList<>()).accepted();
  }

  /**
   * The properties of demotion alone, which take no node to judge. Never throws on bad input.
   *
   * @param findings gets what is wrong with them; the default stands in for what is
   */
  public static DemotionSettings demotion(Configuration conf, List<Finding> findings) {
    return new ConfReader(conf, findings).demotion();
  }

  private static Classification elsewhere(Entry entry) {
    return Classification.of(
        entry.medium().orElse(Medium.DISK),
        "unknown",
        Immutable.setOf(),
        Paths.get("/"),
        "not asked, the dir is not on this machine");
  }

  /** A defect of ours must not stop a NodeManager either. */
  private Resolution guarded() {
    try {
      if (reader.flag(TierKey.ENABLED)) {
        return node();
      }
      if (findings.isEmpty()) {
        reader.note("switched off", TierKey.ENABLED);
      }
    } catch (RuntimeException e) {
      reader.note("defect", TierKey.ENABLED.key(), "", e);
    }
    return result(Optional.empty());
  }

  private Resolution result(Optional<NodeTiers> tiers) {
    Set<String> accepted = reader.accepted();
    List<Finding> sorted =
        findings.stream()
            .map(finding -> finding.accepted(accepted))
            .distinct()
            .sorted(Comparator.comparing(Finding::severity).reversed())
            .collect(Immutable.toList());
    return new AutoValue_TierConfig_Resolution(
        hasErrors(sorted) ? Optional.empty() : tiers,
        shiftWhenSlow,
        Immutable.copyOf(unfit),
        sorted);
  }

  private Resolution node() {
    TierSettings settings = reader.settings();
    // Only to find what is wrong with them: who needs them reads them for itself.
    reader.shuffle();
    List<NodeDir> dirs = readDirs();
    TierLayout layout = layout(dirs.stream().map(NodeDir::dir).collect(Immutable.toList()));
    shiftWhenSlow = reader.flag(TierKey.SHIFT_WHEN_SLOW);
    checks.checkFolders(layout.paths());
    checks.checkSharing(dirs);
    dirs.forEach(checks::compareCap);
    checks.checkOrder(dirs, byOrder());
    WatermarkChecks marks = new WatermarkChecks(reader);
    marks.checkMarks(dirs, layout);
    if (yarn) {
      if (kernel.isPresent() && SparkService.refusesLinks(reader.conf())) {
        settings = settings.toBuilder().sparkLinks(false).build();
        reader.note("spark links", SparkService.VERIFY, "");
      }
      kernel.ifPresent(here -> checks.checkNeighbours(dirs, here, layout));
      marks.checkReserves(dirs, layout);
      checks.checkMemory(
          dirs, kernel.map(KernelClassifier::memoryBytes).orElse(OptionalLong.empty()));
    }
    noteUnknownKeys();
    return result(Optional.of(NodeTiers.of(layout, settings, reader.demotion())));
  }

  /** The dirs in YARN's order, each with what the kernel says of it. */
  private List<NodeDir> readDirs() {
    String yarnKey = YarnConfiguration.NM_LOCAL_DIRS;
    Parsed yarn = LocalDirsParser.parsePlain(yarnKey, reader.raw(yarnKey), reader.origin(yarnKey));
    findings.addAll(yarn.findings());
    if (yarn.entries().isEmpty() && !hasErrors(yarn.findings())) {
      reader.note("no dir", yarnKey, reader.raw(yarnKey));
    }
    String ourKey = TierKey.LOCAL_DIRS.key();
    Parsed taggedDirs = LocalDirsParser.parse(ourKey, reader.raw(ourKey), reader.origin(ourKey));
    findings.addAll(taggedDirs.findings());
    // An entry that could not be read is in its list all the same.
    if (reader.isSet(TierKey.LOCAL_DIRS)
        && !hasErrors(yarn.findings())
        && !hasErrors(taggedDirs.findings())) {
      checks.compare(taggedDirs.entries(), yarn.entries());
    }
    Map<Path, Entry> tagged =
        taggedDirs.entries().stream().collect(Collectors.toMap(Entry::path, Function.identity()));
    List<NodeDir> dirs = new ArrayList<>();
    for (Entry listed : yarn.entries()) {
      Entry entry = tagged.getOrDefault(listed.path(), listed);
      Classification found =
          kernel.map(here -> here.classify(entry.path())).orElseGet(() -> elsewhere(entry));
      boolean tag = entry.medium().isPresent();
      LocalDir dir =
          LocalDir.of(
              entry.path(),
              entry.medium().orElse(found.medium()),
              entry.capBytes(),
              tag ? "tag in " + reader.origin(ourKey) : "kernel: " + found.why());
      long totalBytes = kernel.map(here -> here.totalBytes(dir.path())).orElse(0L);
      dirs.add(NodeDir.of(dir, found, totalBytes));
    }
    return kernel
        .filter(key -> this.yarn)
        .map(here -> checks.fit(dirs, here, byOrder(), unfit))
        .orElse(dirs);
  }

  private Comparator<Medium> byOrder() {
    List<Medium> order = new ArrayList<>(reader.tierOrder());
    Arrays.stream(Medium.values()).filter(medium -> !order.contains(medium)).forEach(order::add);
    return Comparator.comparing(order::indexOf);
  }

  private static boolean hasErrors(List<Finding> findings) {
    return findings.stream().anyMatch(found -> found.severity() == Finding.Severity.ERROR);
  }

  private TierLayout layout(Collection<LocalDir> dirs) {
    Map<Medium, Reserve> reserves = reader.reserves();
    List<Medium> order = reader.tierOrder();
    TierLayout layout =
        TierLayout.of(dirs, order, medium -> reserves.getOrDefault(medium, Reserve.DEFAULT));
    for (Tier tier : layout.tiers()) {
      if (!order.contains(tier.medium())) {
        reader.note("order", TierKey.TIER_ORDER, tier.medium());
      }
    }
    // Not where a tag is wrong: its dir counts as what the kernel says.
    if (!hasErrors(findings) && layout.tiers().size() == 1) {
      reader.note("one tier", TierKey.LOCAL_DIRS, layout.tiers().get(0).medium());
    }
    return layout;
  }

  /**
   * Finds properties that look like ours and are not: a WARNING, since one configuration may serve
   * nodes of several versions. An ERROR where it is a switch, misspelt: {@code
   * temptier.enable=false} must not leave TempTier on. Those of S3A stand in core-site.xml and are
   * looked at where S3A is.
   */
  private void noteUnknownKeys() {
    Set<String> unknown = new TreeSet<>();
    reader.conf().forEach(property -> unknown.add(property.getKey()));
    unknown.removeIf(key -> key.startsWith("temptier.s3a.") || TierKey.find(key).isPresent());
    for (String key : unknown) {
      String[] words = key.split("[._-]", 2);
      if (words.length == 2
          && NearestName.distance(words[0].toLowerCase(Locale.ROOT), NAME) <= TierKey.SLIPS) {
        Optional<TierKey> nearKey = TierKey.meant(words[1]);
        boolean off =
            nearKey.filter(near -> near.type() == TierKey.Type.BOOLEAN).isPresent()
                && !reader.raw(key).equalsIgnoreCase("true");
        if (nearKey.isPresent() || words[0].equals(NAME)) {
          String remedy =
              nearKey
                  .map(near -> "Did you mean " + near + "?")
                  .orElse("Take it out, unless another version on some nodes has it.");
          reader.note(off ? "misspelt switch" : "unknown", key, reader.raw(key), remedy);
        }
      }
    }
  }
}
