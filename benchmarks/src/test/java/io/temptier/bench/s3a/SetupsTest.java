// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SetupsTest {
  private static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  private static final String READAHEAD = "fs.s3a.readahead.range";
  private static final Map<String, String> REACH =
      Map.of("fs.s3a.endpoint", "http://127.0.0.1:1", "fs.s3a.endpoint.region", "here");

  @Test
  void stockIsSetToNothingButTheStore() {
    List<Setup> readers = Setups.readers("3.5.0", REACH, Map.of());
    assertEquals(REACH, conf(readers, "stock"));
    assertEquals("sequential", conf(readers, "sequential-64K").get(FADVISE));
    assertEquals("64K", conf(readers, "sequential-64K").get(READAHEAD));
    assertEquals("1024K", conf(readers, "document").get(READAHEAD));
    assertEquals("random", conf(readers, "columnar").get(FADVISE));
    for (Setup setup : readers) {
      REACH.forEach((key, value) -> assertEquals(value, setup.conf().get(key), setup.name()));
    }
  }

  @Test
  void aUsersOwnArmIsSetToTheStoreAndWhatTheUserSaid() {
    Map<String, String> own =
        conf(Setups.readers("3.4.2", REACH, Map.of(READAHEAD, "256K")), Setups.OWN);
    assertEquals("256K", own.get(READAHEAD));
    assertEquals(REACH.size() + 1, own.size(), own::toString);
  }

  private static Map<String, String> conf(List<Setup> setups, String name) {
    return setups.stream()
        .filter(setup -> setup.name().equals(name))
        .findFirst()
        .orElseThrow()
        .conf();
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
  void withoutASlowDiskNothingWaitsOnOne() {
    Path fast = Path.of("/fast");
    assertEquals(
        List.of("disk-fast", "array", "bytebuffer"),
        Setups.uploaders(REACH, fast, List.of()).stream().map(Setup::name).toList());
    Setup slow = Setups.uploaders(REACH, fast, List.of(Path.of("/slow"))).get(0);
    assertEquals("disk-slow", slow.name());
    assertEquals("/slow", slow.conf().get("fs.s3a.buffer.dir"));
    assertFalse(slow.conf().containsKey(READAHEAD));
  }
}
