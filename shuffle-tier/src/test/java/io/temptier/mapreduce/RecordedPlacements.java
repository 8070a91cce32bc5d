// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
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
