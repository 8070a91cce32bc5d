// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.policy.PlacementListener;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One of two real disks does not answer. */
@NeedsLoopDisk
class FrozenDiskTest {
  private static final long MB = 1L << 20;
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  @TempDir Path temp;
  private LoopDisk fast;
  private LoopDisk slow;
  private final List<Thread> placing = new ArrayList<>();
  private volatile boolean enough;

  @BeforeEach
  void makeDisks() throws IOException {
    fast = LoopDisk.create(temp, "fast", 64 * MB, "mkfs.ext4", "-q", "-F", "-m", "0");
    slow = LoopDisk.create(temp, "slow", 256 * MB, "mkfs.ext4", "-q", "-F", "-m", "0");
  }

  @AfterEach
  void removeDisks() throws Exception {
    enough = true;
    slow.thaw();
    fast.thaw();
    for (Thread thread : placing) {
      thread.join();
    }
    slow.close();
    fast.close();
  }

  @Test
  void theEndOfASlowDisksClaimsHoldsUpNoPlacementOnAFastOne() throws Exception {
    Placer placer = placer();
    Placer.Placed last = Layouts.place(placer, "last_on_slow", 100 * MB);
    assertEquals(Medium.DISK, last.placement().dir().medium());
    placer.settle(last.file());
    Eventually.holds(
        "the claim's end", () -> placer.writing() == 0 && noneClaimed(last.placement().dir()));
    slow.freeze();

    AtomicInteger placed = new AtomicInteger();
    for (int t = 0; t < 4; t++) {
      start(
          () ->
              placeUntilEnough(
                  placer,
                  medium -> {
                    assertEquals(Medium.NVME, medium);
                    placed.incrementAndGet();
                  }));
    }
    // Ten seconds after its last file the ledgers there are deleted, and that thread hangs.
    Eventually.holds("the ledgers' end", () -> isIn("drop"));
    int before = placed.get();
    Eventually.holds(
        "200 files placed on the fast disk after that", () -> placed.get() >= before + 200);
  }

  @Test
  void aFileOnAFrozenDiskIsSettledAtOnce() throws Exception {
    Placer placer = placer();
    Placer.Placed written = Layouts.place(placer, "on_slow", 100 * MB);
    slow.freeze();
    Thread settling = start(() -> placer.settle(written.file()));
    Eventually.holds("settling, as who reads the file does", () -> !settling.isAlive());
    assertEquals(0, placer.writing());
    assertEquals(Medium.NVME, Layouts.place(placer, "next", MB).placement().dir().medium());
    assertFalse(noneClaimed(written.placement().dir()), "its claim ends when the disk answers");
    slow.thaw();
    Eventually.holds("the claim's end", () -> noneClaimed(written.placement().dir()));
    placer.close();
  }

  /** Who asks the frozen disk at first waits for it, as in stock Hadoop; those after do not. */
  @Test
  void aFastDiskThatIsFrozenIsSetAsideForTheSlowOne() throws Exception {
    Placer placer = placer();
    assertEquals(Medium.NVME, Layouts.place(placer, "before", MB).placement().dir().medium());
    placer.settleAll(null);
    fast.freeze();
    AtomicInteger onSlow = new AtomicInteger();
    // Those within the first reading's time wait for the frozen disk.
    for (int t = 0; t < 30 && onSlow.get() == 0; t++) {
      start(
          () ->
              placeUntilEnough(placer, medium -> onSlow.addAndGet(medium == Medium.DISK ? 1 : 0)));
      Thread.sleep(1_000);
    }
    Eventually.holds("200 files placed on the slow disk", () -> onSlow.get() >= 200);
    enough = true;
    fast.thaw();
    for (Thread thread : placing) {
      thread.join(DEADLINE.toMillis());
      assertFalse(thread.isAlive(), "who waited for the frozen disk goes on when it answers");
    }
    Eventually.holds(
        "the fast disk in use again",
        () -> Layouts.place(placer, "after", MB).placement().dir().medium() == Medium.NVME);
  }

  private void placeUntilEnough(Placer placer, Consumer<Medium> placed) {
    for (int i = 0; !enough; i++) {
      Placer.Placed file = Layouts.place(placer, Thread.currentThread().getName() + "_" + i, MB);
      placed.accept(file.placement().dir().medium());
      placer.settle(file.file());
      LockSupport.parkNanos(2_000_000);
    }
  }

  private Placer placer() throws IOException {
    Path nvme = Layouts.root(fast.path().resolve("yarn"));
    Path hdd = Layouts.root(slow.path().resolve("yarn"));
    NodeTiers tiers = Layouts.tiers(nvme, hdd, Reserve.ofBytes(0), Layouts.SETTINGS);
    return new Placer(tiers, new PlacementListener() {});
  }

  private Thread start(Runnable run) {
    Thread thread = new Thread(run);
    placing.add(thread);
    thread.start();
    return thread;
  }

  private static boolean noneClaimed(LocalDir dir) {
    File[] ledgers = Layouts.claimsOf(dir.path()).toFile().listFiles(file -> file.length() > 0);
    return ledgers == null || ledgers.length == 0;
  }

  /** Whether a thread that looks after claims is in that method. */
  private static boolean isIn(String method) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> entry.getKey().getName().equals("temptier-claims"))
        .flatMap(entry -> Arrays.stream(entry.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals(method));
  }
}
