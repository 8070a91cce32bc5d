// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A dir, what it is called, and what it can do.
 *
 * @param tag the medium its user calls it, or empty
 * @param kernel the medium the kernel knows
 * @param why how the kernel's was found
 */
record ProbedDir(
    Path path, Optional<Medium> tag, Medium kernel, String why, DeviceProfile profile) {
  /** What it passes for: its tag, else what the kernel says. */
  Medium medium() {
    return tag.orElse(kernel);
  }
}
