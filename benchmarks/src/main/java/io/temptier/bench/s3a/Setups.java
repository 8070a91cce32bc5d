// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.experiment.Arm;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.s3a.profile.Committer;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.Setting;
import io.temptier.s3a.profile.Settings;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The ways that are held against each other. */
final class Setups {
  static final String STOCK = "stock";
  static final String SEQUENTIAL = "sequential-64K";
  static final String COLUMNAR = Workload.COLUMNAR.label();
  static final String MIXED = Workload.MIXED.label();
  static final String OWN = "own";
  static final String DISK_SLOW = "disk-slow";
  static final String DISK_FAST = "disk-fast";
  static final String ONE_GATEWAY = "one-gateway";
  static final String THREE_GATEWAYS = "three-gateways";
  static final String FILE = "file";
  static final String MAGIC = Committer.MAGIC.label();

  private static final List<String> COLOURS =
      List.of("#c0504d", "#d98032", "#5b7fb8", "#0e9aa7", "#5aa469", "#8a94a3", "#c9a227");

  private static final String BUFFER = "fs.s3a.fast.upload.buffer";

  private Setups() {}

  /** Of what is set for a store, what sends requests to several gateways. */
  static Map<String, String> spread(Map<String, String> set) {
    Map<String, String> kept = new LinkedHashMap<>(set);
    kept.keySet().removeIf(key -> !isOfSpreading(key));
    return kept;
  }

  private static boolean isOfSpreading(String key) {
    return key.startsWith("temptier.s3a.") || key.equals(Settings.FACTORY);
  }

  /** Of what is set for a store, what stays the same in all arms. */
  static Map<String, String> reach(Map<String, String> set) {
    Set<String> ofArms = ofArms();
    Map<String, String> kept = new LinkedHashMap<>();
    set.forEach(
        (key, value) -> {
          String general = key.replaceFirst("^fs\\.s3a\\.bucket\\.[^.]+\\.", "fs.s3a.");
          if (!ofArms.contains(key) && !ofArms.contains(general) && !isOfSpreading(general)) {
            kept.put(key, value);
          }
        });
    return kept;
  }

  /**
   * What a client of an arm is set up with. How the store is reached stays the same in all arms,
   * unless the user's own says otherwise.
   */
  static Map<String, String> conf(Arm arm, Map<String, String> reach) {
    Map<String, String> conf = new HashMap<>(reach);
    arm.properties()
        .forEach(
            (key, value) -> {
              if (arm.label().equals(OWN) || !TestbedFiles.NEEDED.contains(key)) {
                conf.put(key, value);
              } else {
                conf.putIfAbsent(key, value);
              }
            });
    return conf;
  }

  /**
   * The ways to read, stock's first.
   *
   * @param own properties of one more arm, or empty
   */
  static List<Arm> readers(String hadoop, Map<String, String> own) {
    HadoopVersion version = HadoopVersion.of(hadoop).orElse(HadoopVersion.V3_5_0);
    List<Arm> arms = new ArrayList<>();
    arms.add(arm(STOCK, "Hadoop's own defaults", Map.of()));
    Map<String, String> sequential =
        Map.of(
            "fs.s3a.input.stream.type", "classic",
            "fs.s3a.experimental.input.fadvise", "sequential",
            "fs.s3a.readahead.range", "64K");
    arms.add(arm(SEQUENTIAL, "what the paper started from", sequential));
    for (Workload workload :
        List.of(Workload.DOCUMENT, Workload.COLUMNAR, Workload.SCAN, Workload.MIXED)) {
      String label = workload.label();
      arms.add(arm(label, "the profile " + label, profile(workload, version)));
    }
    if (!own.isEmpty()) {
      arms.add(arm(OWN, "defaults, and what -D says", own));
    }
    return coloured(arms);
  }

  /** The ways to keep blocks until they are uploaded. */
  static List<Arm> uploaders() {
    return coloured(
        List.of(
            arm(DISK_SLOW, "a slow disk", Map.of(BUFFER, "disk"), Arm.Kind.HDD),
            arm(DISK_FAST, "a fast disk", Map.of(BUFFER, "disk"), Arm.Kind.FAST),
            arm("array", "memory", Map.of(BUFFER, "array")),
            arm("bytebuffer", "memory", Map.of(BUFFER, "bytebuffer"))));
  }

  /** The ways to gateways; which these are is the store's to say. */
  static List<Arm> spreaders() {
    return coloured(
        List.of(
            arm(ONE_GATEWAY, "all requests go to one gateway", Map.of()),
            arm(THREE_GATEWAYS, "the client spreads requests over all", Map.of())));
  }

  static List<Arm> committers() {
    List<Arm> arms = new ArrayList<>();
    for (String committer : List.of(FILE, Committer.DIRECTORY.label(), MAGIC)) {
      Map<String, String> local =
          Map.of(
              "fs.s3a.committer.name", committer,
              "mapreduce.framework.name", "local",
              "mapreduce.job.maps", "8",
              "mapreduce.local.map.tasks.maximum", "2",
              // Else a job takes a whole number of seconds.
              "mapreduce.client.progressmonitor.pollinterval", "20");
      arms.add(arm(committer, "the " + committer + " committer", local));
    }
    return coloured(arms);
  }

  private static Arm arm(
      String label, String explanation, Map<String, String> properties, Arm.Kind... disks) {
    return new Arm(label, explanation, "", List.of(disks), false, false, properties);
  }

  /** Each arm with a colour of its own. */
  private static List<Arm> coloured(List<Arm> arms) {
    return IntStream.range(0, arms.size())
        .mapToObj(i -> arms.get(i).coloured(COLOURS.get(i)))
        .toList();
  }

  private static Set<String> ofArms() {
    Set<String> keys = profile(Workload.MIXED, HadoopVersion.V3_5_0).keySet();
    return keys.stream()
        .filter(key -> !TestbedFiles.NEEDED.contains(key))
        .collect(Collectors.toSet());
  }

  private static Map<String, String> profile(Workload workload, HadoopVersion version) {
    try {
      return Profile.of(
              ProfileRequest.of(
                  workload,
                  List.of(version),
                  Committer.MAGIC,
                  List.of(),
                  UploadBufferRequest.unknown()))
          .settings()
          .stream()
          .collect(Collectors.toMap(Setting::key, Setting::value));
    } catch (UnsafePlanException e) {
      throw new IllegalStateException("a plan for nothing is always safe", e);
    }
  }
}
