// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

/** S3A's properties that more than one check is about. */
final class S3aKey {
  static final String ACCESS_KEY = "fs.s3a.access.key";
  static final String SECRET_KEY = "fs.s3a.secret.key";
  static final String SESSION_TOKEN = "fs.s3a.session.token";
  static final String ENDPOINT = "fs.s3a.endpoint";
  static final String REGION = "fs.s3a.endpoint.region";
  static final String TLS = "fs.s3a.connection.ssl.enabled";
  static final String PATH_STYLE = "fs.s3a.path.style.access";
  static final String SIGNER = "fs.s3a.s3.signing-algorithm";
  static final String ANY_SIGNER = "fs.s3a.signing-algorithm";
  static final String STREAM = "fs.s3a.input.stream.type";
  static final String FADVISE = "fs.s3a.experimental.input.fadvise";
  static final String READAHEAD = "fs.s3a.readahead.range";
  static final String PART_SIZE = "fs.s3a.multipart.size";
  static final String PURGE = "fs.s3a.multipart.purge";
  static final String TOKENS = "fs.s3a.delegation.token.binding";
  static final String CHANGES = "fs.s3a.change.detection.mode";
  static final String ACTIVE_BLOCKS = "fs.s3a.fast.upload.active.blocks";
  static final String COMMITTER = "fs.s3a.committer.name";
  static final String MAGIC = "fs.s3a.committer.magic.enabled";
  static final String CONDITIONAL = "fs.s3a.create.conditional.enabled";
  static final String CHECKSUM = "fs.s3a.create.checksum.algorithm";
  static final String PROXY_HOST = "fs.s3a.proxy.host";
  static final String PROXY_PORT = "fs.s3a.proxy.port";
  static final String PROXY_TLS = "fs.s3a.proxy.ssl.enabled";
  static final String PROXY_USER = "fs.s3a.proxy.username";
  static final String CONNECT_TIMEOUT = "fs.s3a.connection.establish.timeout";
  static final String TIMEOUT = "fs.s3a.connection.timeout";
  static final String REQUEST_TIMEOUT = "fs.s3a.connection.request.timeout";
  static final String POOL_TIMEOUT = "fs.s3a.connection.acquisition.timeout";
  static final String PART_TIMEOUT = "fs.s3a.connection.part.upload.timeout";
  static final String COPY_FROM_LOCAL = "fs.s3a.optimized.copy.from.local.enabled";
  static final String BULK_DELETE = "fs.s3a.multiobjectdelete.enable";

  /** The stream with a readahead and a policy, which is what the profiles are for. */
  static final String CLASSIC = "classic";

  /** The signer that leaves bodies out, which Ceph's gateway needs. */
  static final String UNSIGNED_PAYLOAD = "AWS4UnsignedPayloadSignerType";

  private S3aKey() {}
}
