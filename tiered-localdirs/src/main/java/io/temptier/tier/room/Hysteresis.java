// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.TierSettings;

/**
 * Keeps a dir that is full from flapping file by file: once there is no room left for a file of
 * unknown size, or for half a share of the dir's size, it takes files again only when the whole
 * share is free above the reserve. Begins as if the dir were full, until it has seen that share.
 *
 * <p>Safe for use by many threads.
 */
public final class Hysteresis {
  private final TierSettings settings;
  private volatile boolean full = true;

  /** A dir that is not known yet. */
  public Hysteresis(TierSettings settings) {
    this.settings = settings;
  }

  /**
   * Notes a reading.
   *
   * @param headroomBytes bytes a new file may have
   * @param sizeBytes of the dir
   */
  public void note(long headroomBytes, long sizeBytes) {
    long band = (long) (settings.hysteresis() * sizeBytes);
    if (headroomBytes <= Math.min(band / 2, settings.unknownSizeBytes())) {
      full = true;
    }
    if (headroomBytes > 0 && headroomBytes >= band) {
      full = false;
    }
  }

  /** The part of a headroom that new files may have: nothing while the dir counts as full. */
  public long headroom(long headroomBytes) {
    return full ? Math.min(0, headroomBytes) : headroomBytes;
  }
}
