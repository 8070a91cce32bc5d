// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.Optional;

/** A dir, what it is called, and what it can do. */
@AutoValue
abstract class ProbedDir {
  abstract Path path();

  /** The medium its user calls it, or empty. */
  abstract Optional<Medium> tag();

  /** The medium the kernel knows. */
  abstract Medium kernel();

  /** How the kernel's was found. */
  abstract String why();

  abstract DeviceProfile profile();

  static ProbedDir of(
      Path path, Optional<Medium> tag, Medium kernel, String why, DeviceProfile profile) {
    return new AutoValue_ProbedDir(path, tag, kernel, why, profile);
  }

  /** What it passes for: its tag, else what the kernel says. */
  Medium medium() {
    return tag().orElse(kernel());
  }
}
