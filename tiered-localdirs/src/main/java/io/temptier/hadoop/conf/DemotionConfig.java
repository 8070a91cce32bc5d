// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.DemotionSettings;
import io.temptier.tier.Finding;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Reads the properties of demotion, for the shuffle handler. */
public final class DemotionConfig {
  private DemotionConfig() {}

  /**
   * What became of a configuration.
   *
   * @param settings not enabled where a finding is an ERROR
   * @param findings what {@link TierConfig} says of these properties alone, without those that take
   *     the node's dirs to judge
   */
  public record Resolution(DemotionSettings settings, List<Finding> findings) {
    public Resolution {
      findings = List.copyOf(findings);
    }
  }

  /** Resolves the configuration of a NodeManager. Never throws on bad input. */
  public static Resolution resolve(Configuration conf) {
    List<Finding> findings = new ArrayList<>();
    DemotionSettings settings = new ConfReader(conf, findings).demotion();
    boolean wrong = findings.stream().anyMatch(f -> f.severity() == Finding.Severity.ERROR);
    return new Resolution(
        new DemotionSettings(
            settings.enabled() && !wrong, settings.marks(), settings.bytesPerSecond()),
        findings.stream().distinct().toList());
  }
}
