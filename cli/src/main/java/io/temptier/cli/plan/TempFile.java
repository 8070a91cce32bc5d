// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.FileKind;

/** A temporary file of the replay; each is itself alone. */
final class TempFile {
  private final Replay.RunningJob job;
  private final String host;
  private final FileKind kind;
  private final long bytes;
  private final long writtenMillis;

  TempFile(Replay.RunningJob job, String host, FileKind kind, long bytes, long writtenMillis) {
    this.job = job;
    this.host = host;
    this.kind = kind;
    this.bytes = bytes;
    this.writtenMillis = writtenMillis;
  }

  Replay.RunningJob job() {
    return job;
  }

  String host() {
    return host;
  }

  FileKind kind() {
    return kind;
  }

  long bytes() {
    return bytes;
  }

  long writtenMillis() {
    return writtenMillis;
  }
}
