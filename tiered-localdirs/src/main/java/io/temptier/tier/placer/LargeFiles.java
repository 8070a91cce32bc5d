// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.FileKind;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.settings.TierSettings;
import io.temptier.tier.text.Sizes;

/** Room that a dir must have to be chosen for a file that may outgrow what its writer says. */
final class LargeFiles {
  /** Bound on other files: with room for so many, one process's files are taken to fit. */
  private static final long MOST_OTHERS = 15;

  private LargeFiles() {}

  /**
   * Returns the room to ask for after so many failed attempts: at least {@code expectedBytes}, the
   * size or what stands in for it; {@link Long#MAX_VALUE} for the dir with the most room.
   */
  static long roomBytes(
      FileKind kind, long expectedBytes, boolean known, int failures, TierSettings settings) {
    if (kind.isSmall() || (failures == 0 && (known || !kind.isFolder()))) {
      return expectedBytes;
    }
    if (!known && failures > (kind.isFolder() ? 0 : 1)) {
      return Long.MAX_VALUE;
    }
    return Sizes.sum(expectedBytes, settings.largeSizeBytes());
  }

  /** Returns the room to ask for beside {@code others} of unknown size, if stock draws by room. */
  static long roomBytes(PlacementRequest request, long others, TierSettings settings) {
    if (request.sizeKnown() || request.kind().isSmall() || request.kind().isFolder()) {
      return request.roomBytes();
    }
    long each = settings.largeSizeBytes();
    long room = request.bytes();
    for (long i = 0; i <= Math.min(others, MOST_OTHERS); i++) {
      room = Sizes.sum(room, each);
    }
    return Math.max(request.roomBytes(), room);
  }
}
