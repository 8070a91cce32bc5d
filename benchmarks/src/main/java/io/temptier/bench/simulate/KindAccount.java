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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Adds up what each kind of file asks of HDDs, wherever the files lie. */
final class KindAccount {
  private static final class Sums {
    private long files;
    private long bytes;
    private double heldByteMillis;
    private double hddMillis;
  }

  private final Map<FileKind, Sums> sums = new EnumMap<>(FileKind.class);

  private Sums of(TempFile file) {
    return sums.computeIfAbsent(file.kind(), any -> new Sums());
  }

  /** A file was written. */
  void wrote(TempFile file, double millis) {
    Sums kind = of(file);
    kind.files++;
    kind.bytes += file.bytes();
    kind.hddMillis += millis;
  }

  /** A file, or a part of it, was read. */
  void read(TempFile file, double millis) {
    of(file).hddMillis += millis;
  }

  /** A file was deleted. */
  void deleted(TempFile file, long nowMillis) {
    of(file).heldByteMillis += (double) file.bytes() * (nowMillis - file.writtenMillis());
  }

  /** The kinds that there were. */
  List<KindUse> uses() {
    return sums.entrySet().stream()
        .map(
            kind -> {
              Sums all = kind.getValue();
              return new KindUse(
                  kind.getKey(), all.files, all.bytes, all.heldByteMillis, all.hddMillis);
            })
        .toList();
  }
}
