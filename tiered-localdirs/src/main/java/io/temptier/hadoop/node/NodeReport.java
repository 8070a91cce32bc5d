// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.hadoop.conf.ShuffleSettings;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.hadoop.metrics.MetricSources;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.hadoop.metrics.TierGauges;
import io.temptier.hadoop.node.RootUpkeep.DirCondition;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.ClaimSweep;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.room.DirView;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * TempTier's report of this NodeManager, as numbers and as JSON: Metrics2, JMX and through them
 * {@code status} show it. A source {@code TempTier} has the node's numbers and one {@code
 * TempTier-<MEDIUM>} each tier's, apart so that attribute names are the same for all tiers. Asks no
 * disk and never blocks. Safe for use by many threads.
 */
final class NodeReport implements TempTierInfoMXBean {
  private static final String SOURCE = "TempTier";
  private static final MetricsInfo MODE = Interns.info("Mode", "ACTIVE or STOCK");
  private static final MetricsInfo MODE_CAUSE =
      Interns.info("ModeCause", "Why that mode, in one word; TempTierInfo has the sentences");
  private static final MetricsInfo BUILD = Interns.info("Info", "Always 1; its tags tell");
  private static final MetricsInfo VERSION = Interns.info("Version", "TempTier's version");
  private static final MetricsInfo FINGERPRINT =
      Interns.info("Fingerprint", "Of the configuration, as TempTierInfo has it");

  /** State of TempTier in a NodeManager: whether it places the files, and why. */
  @AutoValue
  abstract static class NodeState {
    /** Cause in one word, as a metric may carry it. */
    enum Cause {
      /** TempTier places: the configuration says so, and it started. */
      CONFIGURED,
      SWITCHED_OFF,
      CONFIG_ERROR,
      /** Means that this Hadoop has no place for TempTier to come in. */
      HADOOP_UNKNOWN,
      START_FAILED
    }

    abstract Cause cause();

    /** Explains the cause in sentences that may quote the configuration. */
    abstract String reason();

    static NodeState of(Cause cause, String reason) {
      return new AutoValue_NodeReport_NodeState(cause, reason);
    }

    final boolean active() {
      return cause() == Cause.CONFIGURED;
    }
  }

  private final PlacementTally tally;
  private final NodeState state;
  private final Optional<NodeTiers> tiers;
  private final List<Finding> findings;
  private final Map<String, Object> settings;
  private final String fingerprint;
  private final Supplier<List<List<DirView>>> viewsByDevice;
  private final Supplier<List<DirCondition>> conditions;
  private final Function<LocalDir, DirHealth> health;
  private final LongSupplier droppedLines;

  /**
   * A report; in stock mode without {@code tiers}.
   *
   * @param resolution what became of {@code conf}, the NodeManager's
   * @param viewsByDevice the dirs that can be read
   * @param conditions of each dir in {@code tiers}
   * @param droppedLines lines lost to the NodeManager's own journal
   */
  NodeReport(
      PlacementTally tally,
      NodeState state,
      Optional<NodeTiers> tiers,
      TierConfig.Resolution resolution,
      Configuration conf,
      Supplier<List<List<DirView>>> viewsByDevice,
      Supplier<List<DirCondition>> conditions,
      Function<LocalDir, DirHealth> health,
      LongSupplier droppedLines) {
    this.tally = tally;
    this.state = state;
    this.tiers = tiers;
    this.findings = resolution.findings();
    this.settings =
        tiers
            .map(node -> settings(node, resolution.shiftWhenSlow(), conf))
            .orElse(Immutable.mapOf());
    this.fingerprint = fingerprint(tiers, settings);
    this.viewsByDevice = viewsByDevice;
    this.conditions = conditions;
    this.health = health;
    this.droppedLines = droppedLines;
  }

  /** Every knob as resolved, but for dirs and reserves. */
  private static Map<String, Object> settings(
      NodeTiers node, boolean shiftWhenSlow, Configuration conf) {
    Map<String, Object> all = node.settings().byName();
    all.put("shiftWhenSlow", shiftWhenSlow);
    all.put("accept", Immutable.listOf(conf.getTrimmedStrings(TierKey.ACCEPT.key())));
    DemotionSettings demotion = node.demotion();
    all.put("demotionEnabled", demotion.enabled());
    all.put("demotionBytesPerSecond", demotion.bytesPerSecond());
    all.put("demotionColdAfterMillis", demotion.coldAfter().toMillis());
    all.put("demotionHigh", demotion.marks().high());
    all.put("demotionLow", demotion.marks().low());
    ShuffleSettings shuffle = ShuffleSettings.of(conf);
    all.put("shuffleMemoryBytes", shuffle.memoryBytes());
    all.put("shuffleLaneDepth", shuffle.diskLaneDepth());
    return all;
  }

  /**
   * Eight hexadecimal digits for the tiers and settings, so that a glance over many nodes shows
   * which one is configured otherwise.
   */
  private static String fingerprint(Optional<NodeTiers> tiers, Map<String, Object> settings) {
    StringBuilder all = new StringBuilder(settings.toString());
    tiers.ifPresent(
        node -> {
          all.append(node.demotion().marks());
          node.layout()
              .tiers()
              .forEach(tier -> all.append(tier.reserve()).append(' ').append(tier.dirs()));
        });
    return String.format(Locale.ROOT, "%08x", all.toString().hashCode());
  }

  /** Shows all of it from now on, and the history if there is one, until that is closed. */
  MetricSources show(MetricsSystem system, Optional<NodeHistory> history) {
    MetricSources sources = new MetricSources(system);
    sources.register(SOURCE, "TempTier on this node", (collector, all) -> node(collector));
    sources.register(SOURCE + "-Build", "What is installed", (collector, all) -> build(collector));
    for (Tier tier : tiers()) {
      sources.register(
          SOURCE + "-" + tier.medium(),
          "TempTier's tier " + tier.medium(),
          (collector, all) -> tier(tier, collector));
    }
    sources.register("TempTierInfo", this);
    history.ifPresent(applications -> sources.register("TempTierHistory", applications));
    return sources;
  }

  private void node(MetricsCollector collector) {
    MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "");
    MetricSources.tag(record, MODE, getMode());
    MetricSources.tag(record, MODE_CAUSE, getModeCause());
    for (TierCounter counter : TierCounter.of(TierCounter.Scope.NODE)) {
      MetricSources.add(record, counter, value(counter));
    }
  }

  private void build(MetricsCollector collector) {
    MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "Build");
    MetricSources.tag(record, VERSION, getVersion());
    MetricSources.tag(record, FINGERPRINT, getFingerprint());
    record.addGauge(BUILD, 1);
  }

  private void tier(Tier tier, MetricsCollector collector) {
    MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "", tier.medium());
    values(tier).forEach((counter, value) -> MetricSources.add(record, counter, value));
  }

  private List<Tier> tiers() {
    return tiers.map(node -> node.layout().tiers()).orElse(Immutable.listOf());
  }

  private long value(TierCounter counter) {
    switch (counter) {
      case ACTIVE:
        return state.active() ? 1 : 0;
      case CONFIG_ERRORS:
        return count(Finding.Severity.ERROR);
      case CONFIG_WARNINGS:
        return count(Finding.Severity.WARNING);
      case STOCK_FALLBACKS:
        return tally.get(counter) + (state.active() ? TieredLocalDirs.fallbacks() : 0);
      case DIRS_LOST:
        return conditions.get().stream()
            .filter(condition -> condition.whyLost().isPresent())
            .count();
      case FOLDERS_NOT_LISTED:
        return conditions.get().stream().mapToLong(DirCondition::foldersNotListed).sum();
      case JOURNAL_LINES_DROPPED:
        return droppedLines.getAsLong();
      default:
        return tally.get(counter);
    }
  }

  private long count(Finding.Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /** All numbers of a tier, of what was counted and of its dirs as they are, in their order. */
  private Map<TierCounter, Long> values(Tier tier) {
    TierGauges gauges = TierGauges.of(tier, viewsByDevice.get(), health);
    Map<TierCounter, Long> values = new EnumMap<>(TierCounter.class);
    for (TierCounter counter : TierCounter.of(TierCounter.Scope.TIER)) {
      boolean counts = counter.definition().type() == TierCounter.Type.COUNTER;
      values.put(counter, counts ? tally.get(counter, tier.medium()) : gauges.value(counter));
    }
    return values;
  }

  @Override
  public String getMode() {
    return state.active() ? "ACTIVE" : "STOCK";
  }

  @Override
  public String getModeCause() {
    return state.cause().name();
  }

  @Override
  public String getModeReason() {
    return state.reason();
  }

  @Override
  public String getVersion() {
    return BuildVersion.get();
  }

  @Override
  public String getFingerprint() {
    return fingerprint;
  }

  private static <T> List<Object> list(Collection<T> all, Function<T, Object> one) {
    return all.stream().map(one).collect(Immutable.toList());
  }

  private static <T> String each(Collection<T> all, Function<T, Object> one) {
    return Json.of(list(all, one));
  }

  @Override
  public String getSettings() {
    return Json.of(settings);
  }

  @Override
  public String getFindings() {
    return each(
        findings,
        finding ->
            Json.object(
                "severity", finding.severity(),
                "key", finding.key(),
                "value", finding.value(),
                "origin", finding.origin(),
                "consequence", finding.consequence(),
                "remedy", finding.remedy()));
  }

  @Override
  public String getTiers() {
    return each(
        tiers(),
        tier -> {
          Map<String, Object> json = Json.object("medium", tier.medium());
          values(tier).forEach((counter, value) -> json.put(counter.attribute(), value));
          return json;
        });
  }

  @Override
  public String getNode() {
    Map<String, Object> json = Json.object();
    TierCounter.of(TierCounter.Scope.NODE)
        .forEach(counter -> json.put(counter.attribute(), value(counter)));
    return Json.of(json);
  }

  @Override
  public String getDirs() {
    Map<LocalDir, DirView> views = new HashMap<>();
    viewsByDevice.get().forEach(device -> device.forEach(view -> views.put(view.dir(), view)));
    Map<LocalDir, DirCondition> conditionOf = new HashMap<>();
    conditions.get().forEach(condition -> conditionOf.put(condition.dir(), condition));
    List<Object> all = new ArrayList<>();
    for (Tier tier : tiers()) {
      for (LocalDir dir : tier.dirs()) {
        Map<String, Object> json =
            Json.object(
                "medium", dir.medium(),
                "path", dir.path(),
                "capBytes", dir.capped() ? (Long) dir.capBytes() : null,
                "origin", dir.origin(),
                "reserve", tier.reserve());
        DirView view = views.get(dir);
        json.put("readable", view != null);
        if (view != null) {
          json.putAll(fill(view));
        }
        json.put("slow", health.apply(dir) == DirHealth.SLOW);
        json.put("hung", health.apply(dir) == DirHealth.HUNG);
        DirCondition condition = Objects.requireNonNull(conditionOf.get(dir));
        json.put("lost", condition.whyLost().orElse(null));
        json.put("trouble", condition.trouble().orElse(null));
        json.put("foldersNotListed", condition.foldersNotListed());
        json.put("claimsDeleted", list(condition.claimsDeleted(), NodeReport::swept));
        all.add(json);
      }
    }
    return Json.of(all);
  }

  private static Map<String, Object> fill(DirView view) {
    TierGauges gauges = TierGauges.of(view);
    return Json.object(
        "capacityBytes", gauges.value(TierCounter.CAPACITY_BYTES),
        "freeBytes", gauges.value(TierCounter.FREE_BYTES),
        "reserveBytes", gauges.value(TierCounter.RESERVE_BYTES),
        "claimedBytes", view.claims().bytes(),
        "claims", view.claims().count(),
        "claimsIgnored", view.claims().ignored(),
        "headroomBytes", view.headroomBytes(),
        "totalInodes", view.capacity().totalInodes(),
        "freeInodes", view.capacity().freeInodes(),
        "draining", view.draining(),
        "failures", view.failures());
  }

  private static Map<String, Object> swept(ClaimSweep.Swept swept) {
    return Json.object(
        "uid", swept.uid(),
        "user", swept.user(),
        "entries", swept.entries(),
        "bytes", swept.bytes(),
        "lastMillis", swept.lastMillis());
  }
}
