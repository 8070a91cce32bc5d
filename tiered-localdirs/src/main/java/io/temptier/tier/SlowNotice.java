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

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Whether the NodeManager says of a dir that it answers slower than the tier below, asked at most
 * every {@link #REFRESH_MILLIS}. Where nobody says anything, it does not. Safe for use by many
 * threads.
 */
final class SlowNotice {
  /** It takes half a minute to find out; a moment more does not matter. */
  static final long REFRESH_MILLIS = 2_000;

  private record Read(boolean slow, long atMillis) {}

  private final Path state;
  private final LongSupplier clockMillis;
  private volatile Read last = new Read(false, Long.MIN_VALUE / 2);

  SlowNotice(Path dir, LongSupplier clockMillis) {
    this.state = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
    this.clockMillis = clockMillis;
  }

  boolean slow() {
    long now = clockMillis.getAsLong();
    Read read = last;
    if (Math.abs(now - read.atMillis()) >= REFRESH_MILLIS) {
      boolean slow = PublishedState.read(state).map(found -> found.slow(now)).orElse(false);
      read = new Read(slow, now);
      last = read;
    }
    return read.slow();
  }
}
