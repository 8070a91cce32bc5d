// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.text.Finding;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Reads the properties of demotion, for the shuffle handler. */
public final class DemotionConfig {
  private DemotionConfig() {}

  /** What became of a configuration. */
  @AutoValue
  public abstract static class Resolution {
    /** Not enabled where a finding is an ERROR. */
    public abstract DemotionSettings settings();

    /**
     * What {@link TierConfig} says of these properties alone, without those that take the node's
     * dirs to judge.
     */
    public abstract List<Finding> findings();

    public static Resolution of(DemotionSettings settings, List<Finding> findings) {
      findings = Immutable.copyOf(findings);
      return new AutoValue_DemotionConfig_Resolution(settings, findings);
    }
  }

  /** Resolves the configuration of a NodeManager. Never throws on bad input. */
  public static Resolution resolve(Configuration conf) {
    List<Finding> findings = new ArrayList<>();
    DemotionSettings settings = new ConfReader(conf, findings).demotion();
    boolean wrong = findings.stream().anyMatch(f -> f.severity() == Finding.Severity.ERROR);
    return Resolution.of(
        DemotionSettings.of(
            settings.enabled() && !wrong, settings.marks(), settings.bytesPerSecond()),
        findings.stream().distinct().collect(Immutable.toList()));
  }
}
