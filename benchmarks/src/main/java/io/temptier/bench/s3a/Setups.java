// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.experiment.Arm;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.S3aWorkload;
import io.temptier.s3a.profile.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The ways that are held against each other. */
final class Setups {
  static final String THREE_GATEWAYS = "three-gateways";
  static final String OWN = "own";

  /** The property of an arm that names a profile, whose settings are the arm's. */
  private static final String PROFILE = "profile";

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
    Set<String> ofArms =
        TestbedFiles.profile(S3aWorkload.MIXED, HadoopVersion.V3_5_0, List.of()).keySet();
    ofArms.removeAll(TestbedFiles.NEEDED);
    Map<String, String> kept = new LinkedHashMap<>(set);
    kept.keySet()
        .removeIf(
            key -> {
              String general = key.replaceFirst("^fs\\.s3a\\.bucket\\.[^.]+\\.", "fs.s3a.");
              return ofArms.contains(key) || ofArms.contains(general) || isOfSpreading(general);
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
              boolean above = arm.label().equals(OWN) || !TestbedFiles.NEEDED.contains(key);
              conf.merge(key, value, (reached, own) -> above ? own : reached);
            });
    return conf;
  }

  /**
   * The arms for a Hadoop.
   *
   * @param own properties of the arm own, which is left out where there are none
   */
  static List<Arm> of(List<Arm> arms, String hadoop, Map<String, String> own) {
    HadoopVersion version = HadoopVersion.of(hadoop).orElse(HadoopVersion.V3_5_0);
    List<Arm> all = new ArrayList<>();
    for (Arm arm : arms) {
      String profile = arm.properties().get(PROFILE);
      if (profile != null) {
        all.add(arm.with(TestbedFiles.profile(S3aWorkload.parse(profile), version, List.of())));
      } else if (!arm.label().equals(OWN)) {
        all.add(arm);
      } else if (!own.isEmpty()) {
        all.add(arm.with(own));
      }
    }
    return all;
  }
}
