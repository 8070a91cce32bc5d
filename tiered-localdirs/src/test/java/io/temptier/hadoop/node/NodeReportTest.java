// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.claim.ClaimSweep;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.room.DirView;
import io.temptier.tier.room.GaugeSet;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JMX tells all that the node knows: of a node with a dir on each medium. */
class NodeReportTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path INTERFACE =
      Path.of("src/main/java/io/temptier/hadoop/node/TempTierInfoMXBean.java");

  /** Parts of a dir's state that JMX tells under another name, or adds up in another. */
  private static final Map<String, String> TOLD_AS =
      Map.ofEntries(
          Map.entry("DirView.dir", "path"),
          Map.entry("DirView.capacity", "capacityBytes"),
          Map.entry("Capacity.totalBytes", "capacityBytes"),
          Map.entry("Capacity.usableBytes", "freeBytes"),
          Map.entry("Outstanding.bytes", "claimedBytes"),
          Map.entry("Outstanding.count", "claims"),
          Map.entry("Outstanding.ignored", "claimsIgnored"),
          Map.entry("Outstanding.byApplication", "claimedBytes"),
          Map.entry("Outstanding.unboundBytes", "claimedBytes"),
          Map.entry("Outstanding.byUid", "claimedBytes"),
          Map.entry("DirCondition.dir", "path"),
          Map.entry("DirCondition.whyLost", "lost"));

  private final Configuration conf = new Configuration(false);
  private final PlacementTally tally = new PlacementTally();

  NodeReportTest(@TempDir Path temp) throws IOException {
    List<String> dirs = new ArrayList<>();
    List<String> tagged = new ArrayList<>();
    for (Medium medium : Medium.values()) {
      String dir = Files.createDirectory(temp.resolve(medium.name())).toString();
      dirs.add(dir);
      tagged.add("[" + medium + "]" + dir);
    }
    conf.set("yarn.nodemanager.local-dirs", String.join(",", dirs));
    conf.set("temptier.local-dirs", String.join(",", tagged));
  }

  private TempTierInfoMXBean report() {
    TierConfig.Resolution resolution = TierConfig.resolve(conf, new KernelClassifier());
    Optional<NodeTiers> tiers = resolution.tiers();
    List<LocalDir> dirs = tiers.map(node -> node.layout().dirs()).orElse(List.of());
    List<ClaimSweep.Swept> swept = List.of(ClaimSweep.Swept.of(1000, "ann", 2, 3, 4));
    List<List<DirView>> views = tiers.stream().map(node -> GaugeSet.ofNode(node).view()).toList();
    return new NodeReport(
        tally,
        NodeReport.NodeState.of(NodeReport.NodeState.Cause.CONFIGURED, "so"),
        tiers,
        resolution,
        conf,
        () -> views,
        () ->
            dirs.stream()
                .map(
                    dir ->
                        RootUpkeep.DirCondition.of(
                            dir, Optional.of("pulled"), Optional.of("mode 555"), 5, swept))
                .toList(),
        dir -> DirHealth.SOUND,
        () -> 0);
  }

  private static JsonNode json(String text) throws IOException {
    return MAPPER.readTree(text);
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode first(JsonNode value) {
    return value.isArray() ? value.path(0) : value;
  }

  /** A setting that JMX does not tell makes no difference there, nor in the fingerprint. */
  @ParameterizedTest
  @EnumSource(TierKey.class)
  void everySettingIsTold(TierKey key) throws IOException {
    String before = told();
    String fingerprint = report().getFingerprint();
    assertEquals(fingerprint, report().getFingerprint());
    conf.set(key.key(), other(key));
    TierConfig.Resolution resolution = TierConfig.resolve(conf, new KernelClassifier());
    assertTrue(
        key == TierKey.ENABLED || resolution.tiers().isPresent(), resolution.findings()::toString);
    assertNotEquals(before, told(), key + " is not told; add it to NodeReport");
    assertNotEquals(fingerprint, report().getFingerprint());
  }

  private String told() throws IOException {
    StringBuilder told = new StringBuilder(report().getSettings());
    json(report().getDirs())
        .forEach(
            dir ->
                told.append(dir.path("medium"))
                    .append(dir.path("capBytes"))
                    .append(dir.path("reserve")));
    return told.toString();
  }

  /** A value that means something else than what holds without it. */
  private String other(TierKey key) {
    return switch (key.type()) {
      case BOOLEAN -> "false";
      case DIRS -> conf.get(key.key(), "").replaceFirst("\\[NVME]", "[NVME:1g]");
      case MEDIA -> "REMOTE,DISK,SSD,NVME,NVDIMM,RAM_DISK";
      case RESERVE -> "20%";
      case SIZE -> "8388608";
      case PERCENT -> "33%";
      case ACCEPTED -> "temptier.fill-limits";
      case LIMITS -> "user:ann=20%";
      case COUNT -> "77";
      case DURATION -> "2s";
    };
  }

  @Test
  void everyPartOfADirsStateIsTold() throws IOException {
    Set<String> told = names(first(json(report().getDirs())));
    Set<Class<?>> parts =
        Set.of(DirView.class, Capacity.class, Outstanding.class, RootUpkeep.DirCondition.class);
    for (Class<?> part : parts) {
      for (String component : names(part)) {
        String name = part.getSimpleName() + "." + component;
        String member = TOLD_AS.getOrDefault(name, component);
        assertTrue(told.contains(member), name + " is not told; add it to NodeReport: " + told);
      }
    }
    assertEquals(
        names(ClaimSweep.Swept.class),
        names(first(json(report().getDirs())).at("/claimsDeleted/0")));
  }

  /** What a value of AutoValue's is made of. */
  private static Set<String> names(Class<?> value) {
    return Arrays.stream(value.getDeclaredMethods())
        .filter(method -> Modifier.isAbstract(method.getModifiers()))
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whoever reads JMX finds in the interface what is there, and nothing else. */
  @ParameterizedTest
  @ValueSource(strings = {"Settings", "Findings", "Dirs"})
  void theInterfaceNamesWhatIsTold(String attribute) throws Exception {
    Object text = TempTierInfoMXBean.class.getMethod("get" + attribute).invoke(report());
    JsonNode value = first(json(String.valueOf(text)));
    Set<String> told = names(value);
    value.forEach(member -> told.addAll(member.isArray() ? names(first(member)) : Set.of()));
    Matcher doc =
        Pattern.compile("@return ((?:(?!@return)[\\s\\S])*?)\\*/\\s*String get" + attribute)
            .matcher(Files.readString(INTERFACE));
    assertTrue(doc.find(), attribute);
    Set<String> named = new HashSet<>(List.of(doc.group(1).split("\\W+")));
    Set<String> missing = new TreeSet<>(told);
    missing.removeAll(named);
    assertEquals(Set.of(), missing, attribute + " tells more than " + INTERFACE + " says");
    named.removeIf(word -> !word.matches("[a-z]+[A-Z]\\w*"));
    named.removeAll(told);
    assertEquals(Set.of(), named, INTERFACE + " says more than " + attribute + " tells");
  }
}
