// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.net.URI;
import java.util.List;

/**
 * What a profile is made from.
 *
 * @param workload what jobs do most
 * @param versions the Hadoops that will read it; one, or all for a template
 * @param committer how jobs commit
 * @param endpoints the gateways; may be none
 * @param uploads what upload buffers have to go by
 */
public record ProfileRequest(
    Workload workload,
    List<HadoopVersion> versions,
    Committer committer,
    List<URI> endpoints,
    UploadBufferRequest uploads) {
  /** Copies and checks. */
  public ProfileRequest {
    versions = List.copyOf(versions);
    endpoints = List.copyOf(endpoints);
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("no version of Hadoop");
    }
  }

  /** Whether a committer is part of it: the paper had none yet. */
  boolean commits() {
    return workload != Workload.DOCUMENT;
  }
}
