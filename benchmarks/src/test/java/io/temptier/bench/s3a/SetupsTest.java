// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Experiments;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SetupsTest {
  private static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  private static final String READAHEAD = "fs.s3a.readahead.range";
  private static final Map<String, String> REACH =
      Map.of("fs.s3a.endpoint", "http://127.0.0.1:1", "fs.s3a.endpoint.region", "here");

  /** The arms of a pattern. */
  private static List<Arm> arms(String pattern, String hadoop, Map<String, String> own) {
    Experiment all = Experiments.named("s3a", false);
    return Setups.of(all.arms(all.setting(pattern)), hadoop, own);
  }

  @Test
  void stockIsSetToNothingButTheStore() {
    List<Arm> readers = arms("random", "3.5.0", Map.of());
    assertEquals(REACH, conf(readers, "stock"));
    assertEquals("sequential", conf(readers, "sequential-64K").get(FADVISE));
    assertEquals("64K", conf(readers, "sequential-64K").get(READAHEAD));
    assertEquals("1024K", conf(readers, "document").get(READAHEAD));
    assertEquals("random", conf(readers, "columnar").get(FADVISE));
    for (Arm arm : readers) {
      Map<String, String> conf = Setups.conf(arm, REACH);
      REACH.forEach((key, value) -> assertEquals(value, conf.get(key), arm.label()));
    }
  }

  @Test
  void aUsersOwnArmIsSetToTheStoreAndWhatTheUserSaid() {
    Map<String, String> own = conf(arms("random", "3.4.2", Map.of(READAHEAD, "256K")), Setups.OWN);
    assertEquals("256K", own.get(READAHEAD));
    assertEquals(REACH.size() + 1, own.size(), own::toString);
  }

  private static Map<String, String> conf(List<Arm> arms, String label) {
    Arm arm = arms.stream().filter(one -> one.label().equals(label)).findFirst().orElseThrow();
    return Setups.conf(arm, REACH);
  }

  @Test
  void whatArmsDifferInIsTakenOutOfAStoresOwnSettings() {
    Map<String, String> set =
        Map.of(
            "fs.s3a.endpoint",
            "http://127.0.0.1:1",
            "fs.s3a.secret.key",
            "secret",
            "fs.s3a.connection.maximum",
            "200",
            READAHEAD,
            "4M",
            "fs.s3a.bucket.data.experimental.input.fadvise",
            "random",
            "fs.s3a.bucket.data.endpoint",
            "http://127.0.0.1:2",
            "fs.s3a.committer.name",
            "magic");
    assertEquals(
        List.of(
            "fs.s3a.bucket.data.endpoint",
            "fs.s3a.connection.maximum",
            "fs.s3a.endpoint",
            "fs.s3a.secret.key"),
        Setups.reach(set).keySet().stream().sorted().toList());
  }

  @Test
  void howTheStoreIsReachedStaysUnlessTheUserSaysOtherwise() {
    Map<String, String> other = Map.of("fs.s3a.endpoint", "http://127.0.0.1:3");
    Arm profile = new Arm("columnar", "", "", List.of(), false, false, other);
    assertEquals("http://127.0.0.1:1", Setups.conf(profile, REACH).get("fs.s3a.endpoint"));
    Arm own = new Arm(Setups.OWN, "", "", List.of(), false, false, other);
    assertEquals("http://127.0.0.1:3", Setups.conf(own, REACH).get("fs.s3a.endpoint"));
  }
}
