// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import io.temptier.tier.text.TextTable;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The settings of profiles. Their reasons are the table {@code settings.txt} beside this class. */
public final class Settings {
  public static final String ENDPOINT = "fs.s3a.endpoint";
  public static final String STREAM = "fs.s3a.input.stream.type";
  public static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  public static final String READAHEAD = "fs.s3a.readahead.range";

  /** The property that names who makes S3A's clients. */
  public static final String FACTORY = "fs.s3a.s3.client.factory.impl";

  /** TempTier's; by name, since the SDK may not be on the class path here. */
  public static final String OURS = "io.temptier.s3a.endpoint.SpreadingS3ClientFactory";

  /** S3A writes a file in so many at most. */
  private static final long MOST_PARTS = 10_000;

  private static final String SDK_2 = " sdk2";
  private static final List<List<String>> ROWS = TextTable.read(Settings.class, "settings.txt", 6);

  private Settings() {}

  /** Returns the settings needed to talk to Ceph's gateways at all, of which none may be given. */
  static List<S3aSetting> store(List<URI> endpoints) {
    List<S3aSetting> settings = new ArrayList<>();
    if (!endpoints.isEmpty()) {
      String scheme = endpoints.get(0).getScheme();
      boolean tls = "https".equals(scheme);
      settings.addAll(named("endpoint", endpoints.get(0)));
      settings.addAll(named(tls ? "https" : "http", tls, scheme));
    }
    settings.addAll(named("store"));
    return settings;
  }

  /** Returns the settings by which requests go to several gateways without a load balancer. */
  static List<S3aSetting> spread(List<URI> endpoints) {
    return named(
        "spread",
        endpoints.stream().map(URI::toString).collect(Collectors.joining(",")),
        EndpointKey.READ_TIMEOUT.defaultValue(),
        EndpointKey.WRITE_TIMEOUT.defaultValue());
  }

  static List<S3aSetting> reads(S3aWorkload workload, HadoopVersion version) {
    List<S3aSetting> settings = new ArrayList<>(named(workload.toString()));
    if (workload == S3aWorkload.MIXED) {
      // Where the classic stream is the default it must not lose to itself with 64K.
      boolean classic = version.defaultOf(STREAM).orElse("classic").equals("classic");
      settings.addAll(named(classic ? "mixed.classic" : "mixed.analytics"));
    }
    if (!settings.isEmpty()) {
      settings.addAll(0, named("stream"));
    }
    return settings;
  }

  static List<S3aSetting> uploads(UploadBufferPlan plan) {
    long part = plan.partBytes();
    List<S3aSetting> settings =
        new ArrayList<>(named(plan.buffer().toString(), Sizes.format(plan.needBytes())));
    settings.addAll(
        named(
            "blocks",
            plan.activeBlocks(),
            plan.need(),
            part % (1 << 20) == 0 ? (part >> 20) + "M" : part,
            Sizes.format(MOST_PARTS * part)));
    if (plan.buffer() == UploadBufferPlan.Buffer.DISK) {
      settings.addAll(named("dir"));
    }
    return settings;
  }

  /** The rows of a name, with {@code {0}} and so on filled in. */
  static List<S3aSetting> named(String name, Object... filling) {
    return ROWS.stream()
        .filter(row -> row.get(0).equals(name) || row.get(0).equals(name + SDK_2))
        .map(
            row ->
                S3aSetting.of(
                    row.get(1),
                    TextTable.fill(row.get(2), filling),
                    TextTable.fill(row.get(3), filling),
                    TextTable.fill(row.get(4), filling),
                    row.get(5),
                    row.get(0).endsWith(SDK_2)))
        .collect(Immutable.toList());
  }
}
