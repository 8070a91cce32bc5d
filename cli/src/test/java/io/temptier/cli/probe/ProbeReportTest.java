// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Medium;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProbeReportTest {
  private static final ProbedDir NVME = TierOrderTest.dir("/nvme", Medium.NVME, 80, 120, true);
  private static final ProbedDir HDD =
      TierOrderTest.dir("/a/mount/with/a/long/name/hdd", Medium.DISK, 9_000, 30_000, true);

  @Test
  void eachDirHasItsCurveAndItsBars() throws IOException {
    String html = html(HDD, NVME);
    assertEquals(2, html.split("<polyline", -1).length - 1);
    // 10 us is the power of ten below 80, 100 ms the one above 30 ms.
    for (String power : List.of("10 us", "100 us", "1 ms", "10 ms", "100 ms")) {
      assertTrue(html.contains(">" + power + "<"), power);
    }
    assertFalse(html.contains(">1 us<"), html);
    assertTrue(html.contains(">/nvme read<"), html);
    assertTrue(html.contains(">…/with/a/long/name/hdd read<"), html);
    assertTrue(html.contains("tags and disks agree"), html);
  }

  @Test
  void aTagThatIsDoubtedIsNoted() throws IOException {
    String html = html(TierOrderTest.dir("/worn", Medium.NVME, 25_000, 50_000, true));
    assertTrue(html.contains("1 warning"), html);
    assertTrue(html.contains("tag it [DISK]"), html);
  }

  @Test
  void aDirWithoutDirectIoIsNoted() throws IOException {
    String html = html(TierOrderTest.dir("/mem", Medium.RAM_DISK, 0, 1, false));
    assertTrue(html.contains("knows no direct I/O"), html);
    assertTrue(html.contains(">0.1 us<"), html);
  }

  private static String html(ProbedDir... dirs) throws IOException {
    return ProbeReport.of(TierOrder.of(List.of(dirs)), Map.of("command", "x")).html();
  }
}
