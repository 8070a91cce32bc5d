// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.demo.DemoResult.OfPhase;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.journal.PlacementRecord.Event;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LedgerTest {
  private static final String APP = "application_1_0001";

  private final Ledger ledger = new Ledger();

  @Test
  void settledFilesCountByTheirRealSizeAndByWhatTheyAreFor() {
    ledger.add(record(Event.PLACED, "output/a_spill_0.out", 100, Medium.NVME, APP));
    ledger.add(record(Event.SETTLED, "output/a_spill_0.out", 90, Medium.NVME, APP));
    ledger.add(record(Event.SETTLED, "output/b_spill_0.out", 5, Medium.DISK, APP));
    ledger.add(record(Event.SETTLED, "output/c_spill_0.out", 7, Medium.DISK, "application_1_0002"));
    ledger.add(record(Event.SETTLED, "output/attempt_1_1_m_0_0/file.out", 9, Medium.DISK, APP));
    ledger.add(
        record(Event.SETTLED, "output/attempt_1_1_m_0_0/intermediate.1", 1, Medium.DISK, APP));
    ledger.add(
        record(Event.SETTLED, "output/attempt_1_1_r_0_0/map_3.out.merged", 2, Medium.DISK, APP));
    ledger.add(record(Event.SETTLED, "output/attempt_1_1_r_0_0/map_3.out", 3, Medium.DISK, APP));
    ledger.add(record(Event.SETTLED, "container_1_1_1_1/job.xml", 8, Medium.NVME, APP));
    assertEquals(
        List.of(
            new OfPhase("map spills", Medium.NVME, new Tally(1, 90)),
            new OfPhase("map spills", Medium.DISK, new Tally(1, 5)),
            new OfPhase("map merges", Medium.DISK, new Tally(1, 1)),
            new OfPhase("map outputs", Medium.DISK, new Tally(1, 9)),
            new OfPhase("reduce segments", Medium.DISK, new Tally(1, 3)),
            new OfPhase("reduce merges", Medium.DISK, new Tally(1, 2))),
        ledger.phases(APP));
  }

  @Test
  void refusalsAreCountedByTierAndReasonWithTheRealSizesOfTheFiles() {
    ledger.add(refused(Event.PLACED, "a_spill_0.out", 10, true));
    ledger.add(refused(Event.SETTLED, "a_spill_0.out", 9, true));
    ledger.add(refused(Event.PLACED, "b_spill_0.out", 20, true));
    ledger.add(refused(Event.PLACED, "container_1", 64, false));
    assertEquals(
        List.of(new Refused(Medium.NVME, Reason.CAP, Reason.CAP.text(), new Tally(3, 29))),
        ledger.refusals(APP));
  }

  private static PlacementRecord record(
      Event event, String path, long bytes, Medium medium, String application) {
    return PlacementRecord.of(
        1,
        1,
        event,
        path,
        FileKind.of(path),
        bytes,
        true,
        application,
        medium,
        "/d",
        Reason.FASTEST,
        List.of());
  }

  private static PlacementRecord refused(Event event, String path, long bytes, boolean known) {
    return PlacementRecord.of(
        1,
        1,
        event,
        path,
        FileKind.of(path),
        bytes,
        known,
        APP,
        Medium.DISK,
        "/d",
        Reason.CAP,
        List.of(Placement.Refusal.of(Medium.NVME, Reason.CAP, 3)));
  }
}
