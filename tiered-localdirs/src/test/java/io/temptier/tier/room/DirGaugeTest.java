// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.testing.DiskBed;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
class DirGaugeTest extends DiskBed {
  private final List<DirGauge> gauges = new ArrayList<>();

  /** How often claims were read, and more: whoever reads them looks at the clock. */
  private final AtomicInteger looks = new AtomicInteger();

  private Path root;

  @BeforeEach
  void makeRoot() throws IOException {
    root = dir("root", Medium.NVME, 100 * GB, 50 * GB).path();
  }

  @AfterEach
  void drop() {
    gauges.forEach(gauge -> gauge.claims().drop());
  }

  @Test
  void readingsAreAsOldAsTheRefreshInterval() {
    DirGauge gauge = gauge(root);
    gauge.state(false);
    int probes = disk.probes();
    disk.set(root, 100 * GB, 20 * GB);
    clock.advance(Duration.ofMillis(999));
    assertEquals(40 * GB, gauge.state(false).headroomBytes());
    assertEquals(probes, disk.probes());
    clock.advance(Duration.ofMillis(1));
    assertEquals(10 * GB, gauge.state(false).headroomBytes());
  }

  @Test
  void dirsOfOneDeviceShareItsRoom() throws IOException {
    DirGauge one = gauge(root);
    DirGauge two = gauge(dir("second", Medium.NVME, 100 * GB, 50 * GB).path());
    new SharedRoom.Arrangement(gauges, gauge -> false);
    Claim claim = claim(two, 30 * GB);
    assertEquals(10 * GB, one.state(true).headroomBytes());
    assertEquals(10 * GB, two.state(true).headroomBytes());
    assertTrue(one.holdsClaim(true));
    claim.release();
  }

  @Test
  void noReadingIsYoungEnoughForAClaim() {
    DirGauge gauge = gauge(root);
    DirGauge otherProcess = gauge(root);
    gauge.state(true);
    otherProcess.state(true);
    Claim large = claim(otherProcess, 40 * GB - MB);
    assertTrue(otherProcess.holdsClaim(true));
    Claim small = claim(gauge, MB);
    assertFalse(gauge.holdsClaim(true), "however small, and however young the last reading");
    small.release();
    large.release();
  }

  @Test
  void manyDirsOfOneDeviceAreReadOnceARefresh() throws IOException {
    for (int i = 0; i < 20; i++) {
      gauge(dir("many" + i, Medium.NVME, 100 * GB, 50 * GB).path());
    }
    SharedRoom.Arrangement arrangement = new SharedRoom.Arrangement(gauges, gauge -> false);
    gauges.forEach(gauge -> assertSame(arrangement.of(gauges.get(0)), arrangement.of(gauge)));
    gauges.forEach(gauge -> gauge.state(false));
    int before = looks.get();
    clock.advance(Duration.ofSeconds(1));
    gauges.forEach(gauge -> gauge.state(false));
    int each = gauges.size();
    assertTrue(looks.get() - before < each * each, "all claims were read once for each dir");
  }

  @Test
  void inodesHaveAReserveToo() {
    DirGauge gauge = gauge(root);
    disk.set(root, Capacity.of(100 * GB, 50 * GB, 1000, 101));
    assertTrue(gauge.state(true).holds(GB));
    disk.set(root, Capacity.of(100 * GB, 50 * GB, 1000, 100));
    assertEquals(Reason.INODES, gauge.state(true).refusal());
    assertFalse(gauge.state(true).holds(0));
    disk.set(root, Capacity.of(100 * GB, 50 * GB, 0, 0));
    assertTrue(gauge.state(true).holds(GB), "a file system without a number of inodes");
  }

  @Test
  void aCapCountsFilesAndClaims() throws IOException {
    Files.write(root.resolve("a"), new byte[1000]);
    Files.createDirectories(root.resolve("sub/.temptier"));
    Files.write(root.resolve("sub/.temptier/b"), new byte[500]);
    Files.write(root.resolve(".temptier/own"), new byte[50]);
    DirGauge gauge = gauge(root, 10_000);
    Claim claim = claim(gauge, 2000);
    DirState state = gauge.state(true);
    assertEquals(10_000 - 1000 - 500 - 2000, state.headroomBytes());
    assertEquals(Reason.CAP, state.refusal());
    claim.release();
  }

  @Test
  void aCapIsCountedThroughALinkToWhereTheDiskIsMounted() throws IOException {
    Files.write(root.resolve("a"), new byte[1000]);
    Path link = Files.createSymbolicLink(temp.resolve("link"), root);
    disk.set(link, 100 * GB, 50 * GB);
    assertEquals(9_000, gauge(link, 10_000).state(true).headroomBytes());
  }

  @Test
  void usageIsWalkedAgainWhenTheClockWasSetBack() throws IOException {
    DirGauge gauge = gauge(root, 10_000);
    assertEquals(10_000, gauge.state(true).headroomBytes());
    clock.step(Duration.ofHours(-1));
    Files.write(root.resolve("a"), new byte[1000]);
    assertEquals(9_000, gauge.state(true).headroomBytes());
  }

  /** However old its walk is, which rests long where it is dear. */
  @ParameterizedTest
  @ValueSource(longs = {0, 100_000})
  void whatTheNodeManagerWalkedNeedsNoWalk(long ageMillis) throws IOException {
    publish(4000, ageMillis);
    DirGauge gauge = gauge(root, 10_000);
    assertEquals(6_000, gauge.state(true).headroomBytes(), "published, though the dir is empty");
    clock.advance(Duration.ofMinutes(1));
    assertEquals(10_000, gauge.state(true).headroomBytes(), "too old to be believed");
  }

  @Test
  void whatTheDeadWroteInACappedDirIsNotForgottenByThoseWhoReadItForAnother() throws IOException {
    publish(0, 0);
    DirGauge capped = gauge(root, 10_000);
    DirGauge other = gauge(dir("second", Medium.NVME, 100 * GB, 50 * GB).path());
    new SharedRoom.Arrangement(gauges, gauge -> false);
    promise(4_000, 1);
    assertEquals(6_000, capped.state(true).headroomBytes());
    clock.advance(Duration.ofSeconds(7));
    other.state(true);
    LocalDir dir = capped.dir();
    Tier tier = Tier.of(dir.medium(), List.of(dir), Reserve.ofFraction(0.1));
    FillGauge fill = new FillGauge(dir, tier, Layouts.SETTINGS, disk, clock::millis);
    fill.read();
    fill.read();
    assertEquals(6_000, capped.state(true).headroomBytes(), "no walk has seen it");
    clock.advance(Duration.ofSeconds(1));
    publish(4_000, 0);
    capped.state(true);
    clock.advance(Duration.ofSeconds(1));
    assertEquals(6_000, capped.state(true).headroomBytes(), "a walk has");
    assertEquals(0, Layouts.claimsOf(root).toFile().list().length);
  }

  @Test
  void whoseWalksAreInUseSaysHowLongClaimsMustStand() throws IOException {
    DirGauge gauge = gauge(root, 10_000);
    gauge.state(true);
    assertEquals(CapUsage.WALK_AGE_MILLIS, gauge.usage().seenByAllMillis(), "each its own walk");
    publish(4000, 1_900);
    gauge.state(true);
    assertEquals(0, gauge.usage().seenByAllMillis(), "all the one that is published");
    clock.advance(Duration.ofHours(1));
    gauge.state(true);
    assertEquals(CapUsage.WALK_AGE_MILLIS, gauge.usage().seenByAllMillis(), "each its own again");
  }

  @Test
  void failuresBackOffFromOneSecondToSixty() {
    DirGauge gauge = gauge(root);
    disk.vanish(root);
    long[] expected = {1, 2, 4, 8, 16, 32, 60, 60};
    for (long seconds : expected) {
      assertEquals(Reason.SET_ASIDE, gauge.state(true).refusal());
      int probes = disk.probes();
      clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
      assertEquals(Reason.SET_ASIDE, gauge.state(true).refusal());
      assertEquals(probes, disk.probes(), "left alone for " + seconds + " s");
      clock.advance(Duration.ofMillis(1));
      assertFalse(gauge.backoff().waiting());
    }
    disk.set(root, 100 * GB, 50 * GB);
    assertTrue(gauge.state(true).holds(GB), "it came back");
    gauge.backoff().worked();
    disk.vanish(root);
    gauge.state(true);
    clock.advance(Duration.ofSeconds(1));
    assertFalse(gauge.backoff().waiting(), "from the beginning");
  }

  @Test
  void manyThreadsThatFailAtOnceAreOneFailure() {
    DirGauge gauge = gauge(root);
    for (int i = 0; i < 8; i++) {
      gauge.backoff().failed("no");
    }
    assertEquals(8, gauge.backoff().total());
    clock.advance(Duration.ofSeconds(1));
    assertFalse(gauge.backoff().waiting());
  }

  @Test
  void aHungDirHoldsUpOneThreadAndTheOthersOnce() throws Exception {
    DirGauge gauge = gauge(root);
    gauge.state(true);
    disk.hang(root);
    Thread first = new Thread(() -> gauge.state(true));
    first.start();
    Eventually.holds("it hangs", () -> disk.hanging() == 1);
    List<DirState> states = new ArrayList<>();
    CountDownLatch started = new CountDownLatch(1);
    Thread second =
        new Thread(
            () -> {
              started.countDown();
              states.add(gauge.state(true));
            });
    second.start();
    started.await();
    clock.advance(DirGauge.HUNG.minusMillis(1));
    second.join(100);
    assertTrue(second.isAlive(), "it may yet answer");
    clock.advance(Duration.ofMillis(1));
    second.join();
    assertEquals(Reason.SET_ASIDE, states.get(0).refusal());
    assertEquals(Reason.SET_ASIDE, gauge.state(true).refusal(), "at once");
    clock.advance(Duration.ofSeconds(1));
    assertEquals(Reason.SET_ASIDE, gauge.state(true).refusal(), "still hung");
    assertNull(gauge.recent());
    disk.release(root);
    first.join();
    clock.advance(Backoff.LONGEST);
    assertTrue(gauge.state(true).holds(GB));
  }

  @Test
  void whatIsPromisedCountsAsWrittenAndOnce() throws IOException {
    FillGauge gauge = fillGauge(LocalDir.NO_CAP);
    assertEquals(0.5, gauge.read().fraction(), 1e-9);
    Path claim = promise(2 * GB, 1);
    FillGauge.Fill fill = gauge.read();
    assertEquals(0.7, fill.fraction(), 1e-9);
    assertEquals(GB, fill.bytesAbove(0.6));
    assertFalse(fill.spilling(), "3 GB are left, 1 GB is kept");
    Layouts.sparse(claim, GB);
    disk.set(root, 10 * GB, 4 * GB);
    assertEquals(0.7, gauge.read().fraction(), 1e-9, "half of it is written");
    promise(2 * GB, 2);
    assertTrue(gauge.read().spilling(), "1 GB is left");
  }

  @Test
  void aCapIsFilledByPromisesToo() throws IOException {
    FillGauge gauge = fillGauge(GB);
    promise(GB / 2, 1);
    FillGauge.Fill fill = gauge.read();
    assertEquals(0.55, fill.fraction(), 1e-9, "of the file system, as the cap is filled by less");
    promise(GB / 2, 2);
    fill = gauge.read();
    assertTrue(fill.fraction() >= 1, "all of the cap is promised");
    assertTrue(fill.spilling(), "the cap is promised");
    assertTrue(fill.capBytesAbove(0.8) >= GB / 5, "the same");
  }

  @Test
  void aFolderTooFullToReadPromisesNothing() throws IOException {
    FillGauge gauge = fillGauge(LocalDir.NO_CAP);
    for (int i = 0; i <= Claims.MAX_ENTRIES; i++) {
      promise(1, i);
    }
    assertEquals(0.5, gauge.read().fraction(), 1e-9);
  }

  /** Of a disk that is half full. */
  private FillGauge fillGauge(long cap) {
    disk.set(root, 10 * GB, 5 * GB);
    LocalDir dir = Layouts.dir(root, Medium.NVME, cap);
    Tier tier = Tier.of(dir.medium(), List.of(dir), Reserve.ofBytes(GB));
    return new FillGauge(dir, tier, Layouts.SETTINGS, disk);
  }

  /** A claim of a process that cannot be seen, renewed just now. */
  private Path promise(long bytes, int sequence) throws IOException {
    return Layouts.sparse(Layouts.claimsOf(root).resolve("999999999-1-0-none-" + sequence), bytes);
  }

  private void publish(long usageBytes, long ageMillis) throws IOException {
    long now = clock.millis();
    PublishedState.of(now, DirectoryUsage.Usage.of(usageBytes, now - ageMillis, 0), 0, 0)
        .write(root.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
  }

  private static Claim claim(DirGauge gauge, long bytes) {
    return gauge.claims().claim(bytes).orElseThrow();
  }

  private DirGauge gauge(Path path) {
    return gauge(path, LocalDir.NO_CAP);
  }

  private DirGauge gauge(Path path, long cap) {
    LocalDir dir = Layouts.dir(path, Medium.NVME, cap);
    Claims claims =
        new Claims(
            Layouts.claimsOf(path),
            () -> {
              looks.incrementAndGet();
              return clock.millis();
            });
    DirGauge gauge = Layouts.gauge(dir, Reserve.ofFraction(0.1), disk, claims, clock);
    gauges.add(gauge);
    return gauge;
  }
}
