// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import java.nio.file.Path;

/** The names that a move has to do with. */
@AutoValue
abstract class MovePaths {

  /** What every temporary name begins with; nothing else's does. */
  static final String TEMPORARY = ".temptier-demotion.";

  /** Name of a copy while it is not whole. */
  static final String COPY = TEMPORARY + "copy";

  /** Name of a link before it takes a file's or another link's place. */
  static final String LINK = TEMPORARY + "link";

  /** What is moved. */
  abstract Candidate candidate();

  /** Where to. */
  abstract LocalDir target();

  static MovePaths of(Candidate candidate, LocalDir target) {
    return new AutoValue_MovePaths(candidate, target);
  }

  /** The output's folder in the slower dir. */
  Path folder() {
    return target().path().resolve(candidate().id().relativePath());
  }

  /** The copy while it is not whole. */
  Path partial() {
    return folder().resolve(COPY);
  }

  /** The copy. */
  Path copy() {
    return folder().resolve(MapOutputId.DATA);
  }

  /** The link to the copy before it takes the place of the fast file. */
  Path link() {
    return candidate().folder().resolve(LINK);
  }

  /** The application's folder in a dir. */
  Path application(LocalDir dir) {
    MapOutputId id = candidate().id();
    return OutputScanner.application(dir, id.user(), id.application());
  }
}
