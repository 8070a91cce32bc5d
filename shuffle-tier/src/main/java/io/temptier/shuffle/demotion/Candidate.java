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
  /** Prefix of a move's temporary names; nothing else's begins so. */
  static final String TEMPORARY = ".temptier-demotion.";

  /** Name of a copy while it is not whole. */
  static final String COPY = TEMPORARY + "copy";

  /** Name of a link before it takes a file's place. */
  static final String LINK = TEMPORARY + "link";

  abstract MapOutputId id();

  abstract LocalDir dir();

  /** Stamp of its data file, when it was found. */
  abstract FileStamp stamp();

  /** The share of its partitions that were fetched, 0 to 1. */
  abstract double fetched();

  static Candidate of(MapOutputId id, LocalDir dir, FileStamp stamp, double fetched) {
    return new AutoValue_Candidate(id, dir, stamp, fetched);
  }

  Path folderIn(LocalDir dir) {
    return dir.path().resolve(id().relativePath());
  }

  /** Returns its data, or a copy of it, in a dir. */
  Path fileIn(LocalDir dir) {
    return folderIn(dir).resolve(MapOutputId.DATA);
  }

  Path partialIn(LocalDir target) {
    return folderIn(target).resolve(COPY);
  }

  Path file() {
    return fileIn(dir());
  }

  Path link() {
    return folderIn(dir()).resolve(LINK);
  }
}
