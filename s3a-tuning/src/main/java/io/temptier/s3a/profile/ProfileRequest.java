// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.net.URI;
import java.util.List;

/** What a profile is made from. */
@AutoValue
public abstract class ProfileRequest {
  public abstract Workload workload();

  /** The Hadoops that will read it; one, or all for a template. */
  public abstract List<HadoopVersion> versions();

  public abstract Committer committer();

  /** The gateways; may be none. */
  public abstract List<URI> endpoints();

  /** What upload buffers have to go by. */
  public abstract UploadBufferRequest uploads();

  /** Copies and checks. */
  public static ProfileRequest of(
      Workload workload,
      List<HadoopVersion> versions,
      Committer committer,
      List<URI> endpoints,
      UploadBufferRequest uploads) {
    versions = Immutable.copyOf(versions);
    endpoints = Immutable.copyOf(endpoints);
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("no version of Hadoop");
    }
    if (endpoints.size() > 1 && !HadoopVersion.OF_SDK_2.containsAll(versions)) {
      throw new IllegalArgumentException(
          "Hadoop "
              + versions.get(0)
              + " takes one endpoint: TempTier's clients, which spread requests over several, are"
              + " for Hadoop "
              + HadoopVersion.OF_SDK_2
              + ". Give one, or a name in DNS that stands for all.");
    }
    return new AutoValue_ProfileRequest(workload, versions, committer, endpoints, uploads);
  }

  /** Whether a committer is part of it: the paper had none yet. */
  boolean commits() {
    return workload() != Workload.DOCUMENT;
  }
}
