// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.experiment.Arm;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.s3a.profile.Committer;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.Setting;
import io.temptier.s3a.profile.SpreadSettings;
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
  private static final String COMMITTER = "fs.s3a.committer.name";

  private Setups() {}

  /** Of what is set for a store, what sends requests to several gateways. */
  static Map<String, String> spread(Map<String, String> set) {
    Map<String, String> kept = new LinkedHashMap<>(set);
    kept.keySet().removeIf(key -> !isOfSpreading(key));
    return kept;
  }

  private static boolean isOfSpreading(String key) {
    return key.startsWith("temptier.s3a.") || key.equals(SpreadSettings.FACTORY);
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
    arms.add(arm(arms, STOCK, "Hadoop's own defaults", Map.of()));
    arms.add(
        arm(
            arms,
            SEQUENTIAL,
            "what the paper started from",
            Map.of(
                "fs.s3a.input.stream.type",
                "classic",
                "fs.s3a.experimental.input.fadvise",
                "sequential",
                "fs.s3a.readahead.range",
                "64K")));
    for (Workload workload :
        List.of(Workload.DOCUMENT, Workload.COLUMNAR, Workload.SCAN, Workload.MIXED)) {
      String label = workload.label();
      arms.add(arm(arms, label, "the profile " + label, profile(workload, version)));
    }
    if (!own.isEmpty()) {
      arms.add(arm(arms, OWN, "defaults, and what -D says", own));
    }
    return arms;
  }

  /** The ways to keep blocks until they are uploaded. */
  static List<Arm> uploaders() {
    Map<String, String> disk = Map.of(BUFFER, "disk");
    List<Arm> arms = new ArrayList<>();
    arms.add(
        new Arm(
            DISK_SLOW, "a slow disk", COLOURS.get(0), List.of(Arm.Kind.HDD), false, false, disk));
    arms.add(
        new Arm(
            DISK_FAST, "a fast disk", COLOURS.get(1), List.of(Arm.Kind.FAST), false, false, disk));
    for (String buffer : List.of("array", "bytebuffer")) {
      arms.add(arm(arms, buffer, "memory", Map.of(BUFFER, buffer)));
    }
    return arms;
  }

  /** The ways to gateways; which these are is the store's to say. */
  static List<Arm> spreaders() {
    List<Arm> arms = new ArrayList<>();
    arms.add(arm(arms, ONE_GATEWAY, "all requests go to one gateway", Map.of()));
    arms.add(arm(arms, THREE_GATEWAYS, "the client spreads requests over all", Map.of()));
    return arms;
  }

  static List<Arm> committers() {
    List<Arm> arms = new ArrayList<>();
    for (String committer : List.of(FILE, Committer.DIRECTORY.label(), MAGIC)) {
      arms.add(
          arm(
              arms,
              committer,
              "the " + committer + " committer",
              Map.of(
                  COMMITTER,
                  committer,
                  "mapreduce.framework.name",
                  "local",
                  "mapreduce.job.maps",
                  "8",
                  "mapreduce.local.map.tasks.maximum",
                  "2",
                  // Else a job takes a whole number of seconds.
                  "mapreduce.client.progressmonitor.pollinterval",
                  "20")));
    }
    return arms;
  }

  /** The next of some arms, with a colour that none of them has. */
  private static Arm arm(
      List<Arm> before, String label, String explanation, Map<String, String> properties) {
    return Arm.of(label, explanation, COLOURS.get(before.size()), properties);
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
              new ProfileRequest(
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
