// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.s3a.profile.Committer;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.Setting;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import java.nio.file.Path;
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
  static final String FILE = "file";
  static final String MAGIC = Committer.MAGIC.label();

  /** What a client needs to reach the store at all; the same in every arm. */
  private static final Set<String> REACH =
      Set.of(
          "fs.s3a.endpoint",
          "fs.s3a.connection.ssl.enabled",
          "fs.s3a.endpoint.region",
          "fs.s3a.path.style.access",
          "fs.s3a.s3.signing-algorithm");

  private static final String BUFFER = "fs.s3a.fast.upload.buffer";
  private static final String BUFFER_DIR = "fs.s3a.buffer.dir";
  private static final String COMMITTER = "fs.s3a.committer.name";

  private Setups() {}

  /** Of what is set for a store, what stays the same in all arms. */
  static Map<String, String> reach(Map<String, String> set) {
    Set<String> ofArms = ofArms();
    Map<String, String> kept = new LinkedHashMap<>();
    set.forEach(
        (key, value) -> {
          String general = key.replaceFirst("^fs\\.s3a\\.bucket\\.[^.]+\\.", "fs.s3a.");
          if (!ofArms.contains(key) && !ofArms.contains(general)) {
            kept.put(key, value);
          }
        });
    return kept;
  }

  /**
   * The ways to read, stock's first.
   *
   * @param reach the store's own properties
   * @param own those of one more arm, or empty
   */
  static List<Setup> readers(String hadoop, Map<String, String> reach, Map<String, String> own) {
    HadoopVersion version = HadoopVersion.of(hadoop).orElse(HadoopVersion.V3_5_0);
    List<Setup> setups = new ArrayList<>();
    setups.add(new Setup(STOCK, reach));
    setups.add(
        new Setup(
            SEQUENTIAL,
            with(
                reach,
                Map.of(
                    "fs.s3a.input.stream.type",
                    "classic",
                    "fs.s3a.experimental.input.fadvise",
                    "sequential",
                    "fs.s3a.readahead.range",
                    "64K"))));
    for (Workload workload :
        List.of(Workload.DOCUMENT, Workload.COLUMNAR, Workload.SCAN, Workload.MIXED)) {
      setups.add(new Setup(workload.label(), with(profile(workload, version), reach)));
    }
    if (!own.isEmpty()) {
      setups.add(new Setup(OWN, with(reach, own)));
    }
    return setups;
  }

  /**
   * The ways to keep blocks until they are uploaded.
   *
   * @param fast a dir on a fast disk
   * @param slow a dir on a slow disk, or empty when there is none
   */
  static List<Setup> uploaders(Map<String, String> reach, Path fast, List<Path> slow) {
    List<Setup> setups = new ArrayList<>();
    for (Path dir : slow) {
      setups.add(new Setup(DISK_SLOW, onDisk(reach, dir)));
    }
    setups.add(new Setup(DISK_FAST, onDisk(reach, fast)));
    for (String buffer : List.of("array", "bytebuffer")) {
      setups.add(new Setup(buffer, with(reach, Map.of(BUFFER, buffer))));
    }
    return setups;
  }

  /** The ways to commit. */
  static List<Setup> committers(Map<String, String> reach, Path home) {
    List<Setup> setups = new ArrayList<>();
    for (String committer : List.of(FILE, Committer.DIRECTORY.label(), MAGIC)) {
      Path tmp = home.resolve("tmp-" + committer);
      setups.add(
          new Setup(
              committer,
              with(
                  reach,
                  Map.of(
                      COMMITTER,
                      committer,
                      "hadoop.tmp.dir",
                      tmp.toString(),
                      "mapreduce.framework.name",
                      "local",
                      "mapreduce.job.maps",
                      "8",
                      "mapreduce.local.map.tasks.maximum",
                      "2",
                      // Else a job takes a whole number of seconds.
                      "mapreduce.client.progressmonitor.pollinterval",
                      "20"))));
    }
    return setups;
  }

  private static Map<String, String> onDisk(Map<String, String> reach, Path dir) {
    return with(reach, Map.of(BUFFER, "disk", BUFFER_DIR, dir.toString()));
  }

  /** The later wins. */
  private static Map<String, String> with(Map<String, String> some, Map<String, String> others) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }

  private static Set<String> ofArms() {
    Set<String> keys = profile(Workload.MIXED, HadoopVersion.V3_5_0).keySet();
    return keys.stream().filter(key -> !REACH.contains(key)).collect(Collectors.toSet());
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
