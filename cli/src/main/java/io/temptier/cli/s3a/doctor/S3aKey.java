// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.lang.Immutable;
import java.util.List;

/** S3A's properties that more than one check is about. */
final class S3aKey {
  static final String ENDPOINT = "fs.s3a.endpoint";
  static final String TLS = "fs.s3a.connection.ssl.enabled";
  static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  static final String READAHEAD = "fs.s3a.readahead.range";
  static final String PART_SIZE = "fs.s3a.multipart.size";
  static final String COMMITTER = "fs.s3a.committer.name";

  /** In no report. */
  static final List<String> SECRETS =
      Immutable.listOf("fs.s3a.access.key", "fs.s3a.secret.key", "fs.s3a.session.token");

  /** How long S3A waits, but for the upload of a part. */
  static final List<String> TIMEOUTS =
      Immutable.listOf(
          "fs.s3a.connection.establish.timeout",
          "fs.s3a.connection.timeout",
          "fs.s3a.connection.request.timeout",
          "fs.s3a.connection.acquisition.timeout");

  /** The stream with a readahead and a policy, which is what the profiles are for. */
  static final String CLASSIC = "classic";

  private S3aKey() {}
}
