// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.tier.Layouts;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Folders of claims that once held too much. */
class FolderReplacementTest extends ClaimsBed {
  private static final long TOTAL = 1_000_000;

  @Test
  @NeedsLoopDisk
  void anExt4FolderThatGrewIsReplacedWhenNobodyIsPromisedAnything() throws Exception {
    try (LoopDisk loop = LoopDisk.create(temp, 100 << 20)) {
      root = Layouts.root(loop.path().resolve("yarn"));
      folder = Layouts.claimsOf(root);
      Files.setAttribute(folder, "unix:mode", 01777);
      for (int i = 0; i < 10_000; i++) {
        Files.createFile(folder.resolve("x".repeat(200) + i));
      }
      for (String name : entries()) {
        Files.delete(folder.resolve(name));
      }
      assertTrue(folder.toFile().length() > ClaimSweep.GROWN_BYTES, "for ever");
      Claims claims = claims();
      Claim claim = claims.claim(500, null).orElseThrow();
      ClaimSweep sweep = sweep();
      sweep.sweep(Map.of(), Set.of());
      assertTrue(folder.toFile().length() > ClaimSweep.GROWN_BYTES, "somebody is promised bytes");
      assertEquals(500, read(claims));
      claim.release();

      sweep.sweep(Map.of(), Set.of());
      assertTrue(folder.toFile().length() <= 4096, "one block");
      assertEquals(01777, (Integer) Files.getAttribute(folder, "unix:mode") & 07777);
      assertEquals(Long.MAX_VALUE, read(claims), "who claimed in the old one must not rely on it");
      clock.advance(Duration.ofMillis(FolderReplacement.LINGER_MILLIS));
      sweep.sweep(Map.of(), Set.of());
      assertEquals(0, read(claims));
      Claim next = claims.claim(700, null).orElseThrow();
      assertEquals(700, read(claims()));
      next.release();
      claims.drop();
      assertEquals(List.of("claims"), List.of(folder.resolveSibling("").toFile().list()));
    }
  }

  /** There is room for one claim. Each thread is a process of its own, as far as claims go. */
  @Test
  void nobodyIsPromisedWhatAnotherHasWhileTheFolderIsReplaced() throws Exception {
    ProcessTable processes = new ProcessTable(Path.of("/proc"));
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger held = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> claimers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Claims claims = new Claims(folder, processes, System::currentTimeMillis);
      claimers.add(
          threads.submit(
              () -> {
                while (!over.get()) {
                  Claim claim = claims.claim(TOTAL, null).orElse(null);
                  if (claim != null) {
                    if (read(claims) == TOTAL) {
                      assertEquals(1, holders.incrementAndGet());
                      held.incrementAndGet();
                      Thread.sleep(1);
                      holders.decrementAndGet();
                    }
                    claim.release();
                  }
                  Thread.sleep(2);
                }
                claims.drop();
                return null;
              }));
    }
    FolderReplacement replacement =
        new FolderReplacement(folder, processes, System::currentTimeMillis);
    for (int i = 0; i < 3; i++) {
      Object key = key(folder);
      Eventually.holds("it is another", () -> replaced(replacement, folder, key));
      Eventually.holds("the sign is gone", () -> ended(replacement, folder));
      int before = held.get();
      Eventually.holds("it is in use again", () -> held.get() > before + 10);
    }
    over.set(true);
    for (Future<?> claimer : claimers) {
      claimer.get();
    }
    threads.shutdown();
  }

  private static boolean replaced(FolderReplacement replacement, Path folder, Object key)
      throws IOException {
    replacement.end();
    assertTrue(replacement.replace(Set.of()).isEmpty(), "nothing is left of the old one");
    return !key(folder).equals(key);
  }

  private static boolean ended(FolderReplacement replacement, Path folder) throws IOException {
    replacement.end();
    return !FolderReplacement.underWay(folder);
  }

  private static Object key(Path folder) throws IOException {
    return Files.getAttribute(folder, "unix:ino");
  }

  private static long read(Claims claims) {
    return claims.outstanding(TOTAL, Long.MAX_VALUE, 0).bytes();
  }
}
