/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
