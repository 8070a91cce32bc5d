// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.Locale;

/** Where S3A keeps blocks until they are uploaded. */
public enum UploadBuffer {
  /** In files on local dirs. */
  DISK,
  /** In byte arrays on the heap. */
  ARRAY,
  /** In direct buffers outside the heap. */
  BYTEBUFFER;

  /** Its name in Hadoop's configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
