// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.TextTable;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The settings for a workload. */
@AutoValue
public abstract class Profile {
  /** Rows of condition, property, text. */
  private static final List<List<String>> REMARKS = TextTable.read(Profile.class, "remarks.txt", 3);

  /** Committer: makes the output of tasks the output of a job without renames. */
  public enum Committer {
    /** Tasks upload to the end place and hold back the last request; the job sends it. */
    MAGIC,
    /** Tasks write to local dirs, and upload when they commit. */
    DIRECTORY;

    /** Returns its name in Hadoop's configuration. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public abstract S3aWorkload workload();

  /** The Hadoop that will read it. */
  public abstract HadoopVersion version();

  public abstract UploadBufferPlan plan();

  /** Properties for core-site.xml, in the order in which they are to be read. */
  public abstract List<S3aSetting> settings();

  /** Remarks by the property or subject: what is left out on purpose, and what else to know. */
  public abstract Map<String, String> remarks();

  /**
   * Makes a profile. Properties that this Hadoop does not read are left out with a remark.
   *
   * @param endpoints the gateways; may be none
   * @param plan where upload buffers go
   * @throws IllegalArgumentException with a text for operators when that Hadoop cannot do it
   */
  public static Profile of(
      S3aWorkload workload,
      HadoopVersion version,
      Committer committer,
      List<URI> endpoints,
      UploadBufferPlan plan) {
    if (endpoints.size() > 1 && !version.isOfSdk2()) {
      throw new IllegalArgumentException(
          "Hadoop "
              + version
              + " takes one endpoint: TempTier's clients, which spread requests over several, are"
              + " for Hadoop 3.4.1 and later. Give one, or a name in DNS that stands for all.");
    }
    List<S3aSetting> all = new ArrayList<>(Settings.store(endpoints));
    if (endpoints.size() > 1) {
      all.addAll(Settings.spread(endpoints));
    }
    List<S3aSetting> reads = Settings.reads(workload, version);
    all.addAll(reads);
    all.addAll(Settings.uploads(plan));
    // The paper had no committer yet.
    boolean commits = workload != S3aWorkload.DOCUMENT;
    if (commits) {
      all.addAll(Settings.named(committer.toString()));
    }
    Map<String, String> remarks = remarks(version, endpoints, plan, !reads.isEmpty(), commits);
    List<S3aSetting> settings = new ArrayList<>();
    for (S3aSetting setting : all) {
      if (setting.isReadBy(version)) {
        settings.add(setting);
      } else {
        remarks.put(setting.key(), "left out: not for Hadoop " + version + ".");
      }
    }
    return new AutoValue_Profile(
        workload, version, plan, Immutable.copyOf(settings), Immutable.copyOf(remarks));
  }

  private static Map<String, String> remarks(
      HadoopVersion version,
      List<URI> endpoints,
      UploadBufferPlan plan,
      boolean reads,
      boolean commits) {
    Map<String, Predicate<String>> conditions = new HashMap<>();
    conditions.put("always", key -> true);
    conditions.put("no endpoint", key -> endpoints.isEmpty());
    conditions.put("endpoints", key -> endpoints.size() > 1);
    conditions.put("disk", key -> plan.buffer() == UploadBufferPlan.Buffer.DISK);
    conditions.put("reads", key -> reads && version.knows(key));
    conditions.put("known", version::knows);
    conditions.put("sdk1", key -> !version.isOfSdk2());
    conditions.put("3.5.0", key -> commits && version == HadoopVersion.V3_5_0);
    conditions.put("commits", key -> commits);
    String hosts = endpoints.stream().map(URI::getHost).collect(Collectors.joining(", "));
    Map<String, String> remarks = new LinkedHashMap<>();
    for (List<String> row : REMARKS) {
      String key = row.get(1);
      if (Objects.requireNonNull(conditions.get(row.get(0)), row.get(0)).test(key)) {
        remarks.put(key, TextTable.fill(row.get(2), hosts));
      }
    }
    return remarks;
  }
}
