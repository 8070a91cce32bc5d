/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.tier;

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

  /** What of a headroom new files may have: nothing while the dir counts as full. */
  public long headroom(long headroomBytes) {
    return full ? Math.min(0, headroomBytes) : headroomBytes;
  }
}
