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
package io.temptier.bench.simulate;

import io.temptier.tier.FileKind;

/**
 * What files of a kind ask of HDDs when all of them lie there.
 *
 * @param kind of the files
 * @param files how many were written
 * @param bytes of them
 * @param heldByteMillis bytes times how long they were there
 * @param hddMillis that one HDD would be at work for them: written, and read until deleted
 */
record KindUse(FileKind kind, long files, long bytes, double heldByteMillis, double hddMillis) {
  private static final double MIB = 1 << 20;
  private static final double MINUTE_MILLIS = 60_000;

  /** What a MiB on the fast disk saves an HDD, in milliseconds. */
  double millisOfAMib() {
    return bytes == 0 ? 0 : hddMillis / (bytes / MIB);
  }

  /** The same for each minute that it takes up room there. */
  double millisOfAMibMinute() {
    return heldByteMillis == 0 ? 0 : hddMillis / (heldByteMillis / MIB / MINUTE_MILLIS);
  }

  /** How long a byte is there on average, in minutes. */
  double minutes() {
    return bytes == 0 ? 0 : heldByteMillis / bytes / MINUTE_MILLIS;
  }
}
