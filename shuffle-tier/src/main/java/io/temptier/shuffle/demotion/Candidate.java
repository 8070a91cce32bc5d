// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.FileStamp;
import java.nio.file.Path;

/**
 * A map output that could be moved.
 *
 * @param id which
 * @param dir where it lies
 * @param stamp its data file, when it was found
 * @param fetched the share of its partitions that were fetched, 0 to 1
 */
record Candidate(MapOutputId id, LocalDir dir, FileStamp stamp, double fetched) {
  /** Its folder. */
  Path folder() {
    return dir.path().resolve(id.relativePath());
  }

  /** Its data. */
  Path file() {
    return folder().resolve(MapOutputId.DATA);
  }
}
