// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that asks for small files faster than they are forgotten. */
class ManySmallFilesTest {
  private static final int FILES = 300_000;
  private static final long BYTES = 1000;
  private static final int WRITTEN = 100;

  @TempDir Path temp;

  /** Asks for them and says how many bytes were counted; of the first few it writes more. */
  public static final class Asker {
    public static void main(String[] args) throws IOException {
      LocalDir dir = Layouts.dir(Layouts.root(Path.of(args[0])), Medium.NVME);
      TierSettings settings =
          Layouts.SETTINGS.toBuilder().claimIdle(Duration.ofMinutes(10)).build();
      NodeTiers tiers = Layouts.tiers(Reserve.ofBytes(0), settings, dir);
      AtomicLong counted = new AtomicLong();
      int most = 0;
      PlacementListener listener =
          new PlacementListener() {
            @Override
            public void settled(PlacementRequest request, Placement placement, long bytes) {
              counted.addAndGet(bytes);
            }
          };
      try (Placer placer = new Placer(tiers, listener)) {
        for (int i = 0; i < FILES; i++) {
          String name = "f" + i;
          Path file =
              placer
                  .place(placer.request(name, BYTES, null), to -> to.path().resolve(name))
                  .orElseThrow()
                  .file();
          if (i < WRITTEN) {
            Files.write(file, new byte[(int) (2 * BYTES)]);
            placer.settle(file);
          }
          most = Math.max(most, placer.writing());
        }
      }
      System.out.println(counted.get());
      System.out.println(most);
    }
  }

  @Test
  void aHeapOf64MegabytesIsEnoughAndEveryByteIsCounted() throws Exception {
    String said =
        Programs.said(Programs.java(List.of("-Xmx64m", Asker.class.getName(), temp.toString())));
    assertEquals(
        List.of(
            Long.toString((FILES + WRITTEN) * BYTES), Integer.toString(ClaimKeeper.MOST_UNCLAIMED)),
        said.lines().toList());
  }
}
