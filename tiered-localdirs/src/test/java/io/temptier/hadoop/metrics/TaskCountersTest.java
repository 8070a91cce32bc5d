// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TaskCountersTest {
  private final TaskCounters counters = new TaskCounters();

  @ParameterizedTest
  @EnumSource
  void eachMediumIsCountedByItself(Medium medium) {
    String scheme = "temptier-" + medium.name().toLowerCase(Locale.ROOT).replace('_', '-');
    assertFalse(scheme.contains("_"), "job counters split their names there");
    Counted before = counted(scheme);
    counters.placed(request(7, true), placement(medium, List.of()));
    counters.settled(request(7, true), placement(medium, List.of()), 9);
    assertEquals(new Counted(before.files + 1, before.bytes + 7), counted(scheme));
  }

  @Test
  void anUnknownSizeIsCountedWhenTheFileIsComplete() {
    Counted before = counted("temptier-nvme");
    counters.placed(request(64, false), placement(Medium.NVME, List.of()));
    assertEquals(new Counted(before.files + 1, before.bytes), counted("temptier-nvme"));
    counters.settled(request(64, false), placement(Medium.NVME, List.of()), 9);
    assertEquals(new Counted(before.files + 1, before.bytes + 9), counted("temptier-nvme"));
  }

  @Test
  void whatAFasterTierRefusedIsCountedTwice() {
    Counted down = counted("temptier-spilled-down");
    Counted disk = counted("temptier-disk");
    counters.placed(
        request(5, true),
        placement(Medium.DISK, List.of(Placement.Refusal.of(Medium.NVME, Reason.SET_ASIDE, 0))));
    assertEquals(new Counted(down.files + 1, down.bytes + 5), counted("temptier-spilled-down"));
    assertEquals(new Counted(disk.files + 1, disk.bytes + 5), counted("temptier-disk"));
  }

  private record Counted(int files, long bytes) {}

  private static Counted counted(String scheme) {
    return FileSystem.getAllStatistics().stream()
        .filter(statistics -> statistics.getScheme().equals(scheme))
        .map(found -> new Counted(found.getWriteOps(), found.getBytesWritten()))
        .findFirst()
        .orElse(new Counted(0, 0));
  }

  private static PlacementRequest request(long bytes, boolean known) {
    return PlacementRequest.of("f", FileKind.SPILL, bytes, known, null, 1);
  }

  private static Placement placement(Medium medium, List<Placement.Refusal> refusals) {
    return Placement.of(Layouts.dir(Path.of("/d"), medium), Reason.FASTEST, refusals);
  }
}
