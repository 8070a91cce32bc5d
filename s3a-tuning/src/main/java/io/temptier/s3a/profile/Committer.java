// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.Locale;

/** How the output of tasks becomes the output of a job without renames. */
public enum Committer {
  /** Tasks upload to the end place and hold back the last request; the job sends it. */
  MAGIC,
  /** Tasks write to local dirs, and upload when they commit. */
  DIRECTORY;

  /** Its name in Hadoop's configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
