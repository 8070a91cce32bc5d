// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.FileStamp;
import java.nio.file.Path;

/** A map output that could be moved. */
@AutoValue
abstract class Candidate {
  /** Which. */
  abstract MapOutputId id();

  /** Where it lies. */
  abstract LocalDir dir();

  /** Its data file, when it was found. */
  abstract FileStamp stamp();

  /** The share of its partitions that were fetched, 0 to 1. */
  abstract double fetched();

  static Candidate of(MapOutputId id, LocalDir dir, FileStamp stamp, double fetched) {
    return new AutoValue_Candidate(id, dir, stamp, fetched);
  }

  /** Its folder. */
  Path folder() {
    return dir().path().resolve(id().relativePath());
  }

  /** Its data. */
  Path file() {
    return folder().resolve(MapOutputId.DATA);
  }
}
