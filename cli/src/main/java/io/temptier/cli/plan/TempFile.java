// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.FileKind;

/** A temporary file of the replay; each is itself alone. */
final class TempFile {
  final Replay.RunningJob job;
  final String host;
  final FileKind kind;
  final long bytes;
  final long writtenMillis;

  TempFile(Replay.RunningJob job, String host, FileKind kind, long bytes, long writtenMillis) {
    this.job = job;
    this.host = host;
    this.kind = kind;
    this.bytes = bytes;
    this.writtenMillis = writtenMillis;
  }
}
