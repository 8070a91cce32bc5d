// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.FileKind;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.settings.TierSettings;
import io.temptier.tier.text.Sizes;

/**
 * How much room a dir must have to be chosen for a file that may become larger than its writer
 * says.
 *
 * <p><b>Why.</b> YARN never says how large a localized resource is, nor what a job writes to its
 * work dir; MapReduce and Tez do not always know. Such a file gets a small claim, since a large one
 * would keep a small fast disk half empty. If it were also placed by that, an archive of 400 MB
 * would go to a fast tier with 300 MB of room, and so would each retry, until the job fails that
 * stock, which draws its dirs, would have finished.
 *
 * <p><b>The rule.</b> A folder that others fill needs {@code temptier.large-size} of room, and so
 * does the second attempt at any file. So does the first at a file of unknown size, and as much
 * again for each other one that its process is writing: stock, which draws dirs by their room,
 * would rarely have put them on a small disk. A folder after a failure, and the third attempt at a
 * file of unknown size, need the dir with the most room: nothing is likelier to hold them.
 */
final class LargeFiles {
  /** With room for so many, what one process writes at a time is taken to fit. */
  private static final long MOST_OTHERS = 15;

  private LargeFiles() {}

  /**
   * The room to ask for.
   *
   * @param expectedBytes the size, or what stands in for an unknown one
   * @param known whether it is the size
   * @param failures attempts that failed before
   * @return at least {@code expectedBytes}; {@link Long#MAX_VALUE} for the dir with the most room
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

  /** The same where stock would draw the dir by its room, beside {@code others} of unknown size. */
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
