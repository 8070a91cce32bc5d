// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.settings.NodeTiers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Eight letters for how TempTier is configured on a node, so that a glance over many nodes shows
 * which one is configured otherwise. They stand for the values of all {@code temptier.*} keys but
 * those of S3A's clients, of the keys of YARN that TempTier depends on, and for the tiers that came
 * of them, with what the kernel said of untagged dirs.
 */
public final class Fingerprint {
  private static final List<String> OF_YARN =
      Immutable.listOf(
          YarnConfiguration.NM_LOCAL_DIRS,
          YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
          "yarn.nodemanager.aux-services.mapreduce_shuffle.class");

  private Fingerprint() {}

  /**
   * The fingerprint of a node.
   *
   * @param tiers what was resolved from {@code conf}; empty when nothing was
   * @return hexadecimal digits, or {@code unknown} for a configuration that cannot be read
   */
  public static String of(Configuration conf, Optional<NodeTiers> tiers) {
    Map<String, String> values = new TreeMap<>();
    try {
      conf.getPropsWithPrefix(TierKey.PREFIX)
          .forEach(
              (key, value) -> {
                if (!key.startsWith("s3a.")) {
                  values.put(TierKey.PREFIX + key, value.trim());
                }
              });
      OF_YARN.forEach(key -> values.put(key, conf.getTrimmed(key, "")));
    } catch (RuntimeException e) {
      // A variable that leads to itself, for example. The findings say what is wrong.
      return "unknown";
    }
    tiers.ifPresent(
        node -> {
          for (Tier tier : node.layout().tiers()) {
            values.put(tier.medium().name(), tier.dirs() + " reserve " + tier.reserve());
          }
        });
    return hash(values.toString());
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return String.format(Locale.ROOT, "%08x", ByteBuffer.wrap(digest).getInt());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
