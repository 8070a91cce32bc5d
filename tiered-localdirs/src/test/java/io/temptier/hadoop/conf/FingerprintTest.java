// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {
  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set("temptier.local-dirs", "[NVME]/nvme0/yarn,[DISK]/hdd0/yarn");
    conf.set("yarn.nodemanager.local-dirs", "/nvme0/yarn,/hdd0/yarn");
    return conf;
  }

  private static Optional<NodeTiers> tiers(Medium medium) {
    LocalDir dir = Layouts.dir(Path.of("/nvme0/yarn"), medium);
    return Optional.of(Layouts.tiers(Reserve.DEFAULT, TierSettings.DEFAULT, dir));
  }

  private static String of(Configuration conf) {
    return Fingerprint.of(conf, Optional.empty());
  }

  @Test
  void isTheSameForTheSame() {
    assertTrue(of(conf()).matches("[0-9a-f]{8}"), of(conf()));
    assertEquals(of(conf()), of(conf()));
    Configuration spaced = conf();
    spaced.set("temptier.local-dirs", "  [NVME]/nvme0/yarn,[DISK]/hdd0/yarn\n");
    assertEquals(of(conf()), of(spaced));
  }

  @ParameterizedTest
  @CsvSource({
    "temptier.reserve, 10%, false",
    "temptier.demotion.high, 60%, false",
    "temptier.local-dirs, [NVME]/nvme0/yarn, false",
    "temptier.no-such-key, x, false",
    "yarn.nodemanager.local-dirs, /hdd0/yarn, false",
    "yarn.nodemanager.aux-services.mapreduce_shuffle.class, x, false",
    "yarn.nodemanager.resource.memory-mb, 1, true",
    "temptier.s3a.endpoints, http://rgw1, true",
  })
  void tellsApartWhatMatters(String key, String value, boolean same) {
    Configuration other = conf();
    other.set(key, value);
    assertEquals(same, of(conf()).equals(of(other)));
  }

  @Test
  void tellsApartWhatTheKernelSaysOfUntaggedDirs() {
    String nvme = Fingerprint.of(conf(), tiers(Medium.NVME));
    assertEquals(nvme, Fingerprint.of(conf(), tiers(Medium.NVME)));
    assertNotEquals(nvme, Fingerprint.of(conf(), tiers(Medium.DISK)));
  }

  @Test
  void aConfigurationThatCannotBeReadHasNone() {
    Configuration circular = conf();
    circular.set("temptier.reserve", "${temptier.reserve}x");
    assertTrue(of(circular).matches("unknown|[0-9a-f]{8}"), of(circular));
  }
}
