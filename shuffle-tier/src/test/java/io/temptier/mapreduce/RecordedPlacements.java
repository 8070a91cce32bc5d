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
package io.temptier.mapreduce;

import io.temptier.hadoop.TieredLocalDirAllocator;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hears every placement of the JVM while it is open. */
final class RecordedPlacements implements PlacementListener, AutoCloseable {
  /** One placement. */
  record Entry(PlacementRequest request, Placement placement) {}

  private final List<Entry> entries = new CopyOnWriteArrayList<>();

  RecordedPlacements() {
    TieredLocalDirAllocator.addListener(this);
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    entries.add(new Entry(request, placement));
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  long files(Medium medium) {
    return entries.stream().filter(e -> e.placement().dir().medium() == medium).count();
  }

  long spilledDown() {
    return entries.stream().filter(e -> e.placement().spilledDown()).count();
  }

  Set<FileKind> kinds() {
    Set<FileKind> kinds = EnumSet.noneOf(FileKind.class);
    entries.forEach(entry -> kinds.add(entry.request().kind()));
    return kinds;
  }

  @Override
  public void close() {
    TieredLocalDirAllocator.removeListener(this);
  }
}
