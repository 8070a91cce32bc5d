// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.tier.LocalDir;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;

/**
 * A job whose map outputs are fetched. The jobs of a run differ in their number only.
 *
 * @param number of its application, from 1
 */
record BenchJob(String user, String secretHex, int number) {
  /** The first half of an application's number: when its ResourceManager started. */
  private static final long CLUSTER_TIMESTAMP = 1_700_000_000_000L;

  private static final int SECRET_BYTES = 20;

  /** The first job, of this user, with a secret of its own. */
  static BenchJob create() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new BenchJob(System.getProperty("user.name"), HexFormat.of().formatHex(secret), 1);
  }

  /** Another job of the same user with the same secret. */
  BenchJob again(int otherNumber) {
    return new BenchJob(user, secretHex, otherNumber);
  }

  String id() {
    return "job_" + suffix();
  }

  /** The attempt of a map, counted from 0. */
  String attempt(int map) {
    return String.format(Locale.ROOT, "attempt_%s_m_%06d_0", suffix(), map);
  }

  Path outputDir(Path localDir, String attempt) {
    return localDir
        .resolve(LocalDir.application(user, "application_" + suffix()))
        .resolve("output")
        .resolve(attempt);
  }

  Map<String, String> conf() {
    return Map.of(
        ShuffleServer.USER, user,
        ShuffleServer.CLUSTER_TIMESTAMP, Long.toString(CLUSTER_TIMESTAMP),
        ShuffleServer.SECRET, secretHex);
  }

  SecretKey key() {
    return JobTokenSecretManager.createSecretKey(HexFormat.of().parseHex(secretHex));
  }

  private String suffix() {
    return String.format(Locale.ROOT, "%d_%04d", CLUSTER_TIMESTAMP, number);
  }
}
