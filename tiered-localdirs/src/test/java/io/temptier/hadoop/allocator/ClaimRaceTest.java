// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Skip;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import io.temptier.tier.marker.NodeMarker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writer processes, each a JVM of its own, race for a fast tier of 512 MB that does not hold what
 * all of them want to write: a real small ext4 where the test may make one, else a capped dir.
 */
class ClaimRaceTest {
  private static final int WRITERS = 16;
  private static final long TIER_BYTES = 512L << 20;
  private static final long FILE_BYTES = 24L << 20;
  private static final long LEASE_MILLIS = 5_000;

  /**
   * No claim ends because the machine is busy, and a dir that was full takes files at once again.
   */
  private static final TierSettings SETTINGS =
      TierSettings.of(
          PlacementPolicy.Named.FAST_FIRST,
          64L << 20,
          1,
          0,
          Duration.ofSeconds(1),
          Duration.ofMinutes(30));

  /** Some that have names on every Linux, without which Hadoop does not start. */
  private static final List<Integer> UIDS = List.of(1, 65_534);

  @TempDir Path temp;
  private final List<Writer> writers = new ArrayList<>();
  private @Nullable LoopDisk disk;
  private Path fast;
  private Path slow;

  @BeforeEach
  void makeDirs() throws IOException {
    disk = LoopDisk.tryCreate(temp, TIER_BYTES);
    fast = disk == null ? temp.resolve("fast") : disk.path();
    slow = Files.createDirectories(temp.resolve("slow"));
    Files.createDirectories(claims());
    mark(Reserve.ofBytes(0));
  }

  private void mark(Reserve reserve) throws IOException {
    TierLayout layout =
        TierLayout.of(
            List.of(
                LocalDir.of(fast, Medium.NVME, disk == null ? TIER_BYTES : LocalDir.NO_CAP, "test"),
                LocalDir.of(slow, Medium.DISK, LocalDir.NO_CAP, "test")),
            List.of(Medium.values()),
            medium -> reserve);
    NodeMarker.write(fast, NodeTiers.of(layout, SETTINGS));
  }

  @AfterEach
  void endWritersAndDisk() throws IOException, InterruptedException {
    for (Writer writer : writers) {
      writer.process.destroyForcibly().waitFor();
      writer.reader.join();
    }
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void tieredWritersNeverOvercommitTheTier() throws Exception {
    long room = disk == null ? TIER_BYTES : fast.toFile().getUsableSpace();
    race("tiered", fast + "," + slow);
    assertEquals(0, count("ENOSPC"), "a writer was promised bytes that were not there");
    long written = count("wrote") * FILE_BYTES;
    assertTrue(written <= room, written + " bytes were written where " + room + " fit");
    assertTrue(
        written >= room * 7 / 10,
        written + " of " + room + " bytes were used: writers back off more than they must");
  }

  @Test
  void stockWritersOvercommitTheSameTier() throws Exception {
    race("stock", fast.toString());
    if (disk != null) {
      assertTrue(count("ENOSPC") > 0, "stock was expected to promise more than there is");
    } else {
      assertTrue(count("placed") * FILE_BYTES > TIER_BYTES, "stock knows no cap");
    }
  }

  @Test
  void claimsOfKilledProcessesVanish() throws Exception {
    int living = 8;
    for (int i = 0; i < 2 * living; i++) {
      start("tiered", fast + "," + slow, i, 600_000).go();
    }
    for (Writer writer : writers) {
      writer.placed.await();
    }
    assertEquals(2 * living, claimed());
    for (Writer writer : writers.subList(0, living)) {
      writer.process.destroyForcibly().waitFor();
    }
    // Any placement reads the claims; those without an owner count nothing and are removed.
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (claimed() > living) {
      assertTrue(System.nanoTime() < deadline, "claims of killed processes are still there");
      askOnce();
      Thread.sleep(200);
    }
  }

  @Test
  void smallFilesOfManyProcessesAreNeverPromisedMoreThanThereIs() throws Exception {
    Reserve reserve = Reserve.ofFraction(0.15);
    mark(reserve);
    long room = disk == null ? TIER_BYTES : fast.toFile().getUsableSpace();
    room -= reserve.bytesOf(TIER_BYTES) * 9 / 10;
    // Half of what was once taken for too small to look whether it fits.
    long bytes = room / 2048;
    for (int i = 0; i < 4; i++) {
      start("tiered", fast + "," + slow, i, bytes, 0, "1500");
    }
    assertPromisedOnce(bytes, room);
  }

  /** As of two users' containers: what each may read of the other's is a name and a length. */
  @Test
  void twoUsersWithUmask077SeeEachOthersClaims() throws Exception {
    if (disk == null) {
      throw Skip.because("needs root and a loop device");
    }
    Reserve reserve = Reserve.ofFraction(0.4);
    mark(reserve);
    Files.setAttribute(claims(), "unix:mode", 01777);
    long room = fast.toFile().getUsableSpace() - reserve.bytesOf(TIER_BYTES) * 9 / 10;
    // Each asks for three quarters, which is less than the half of the disk that one may claim.
    long bytes = room / 200;
    for (int uid : UIDS) {
      List<String> dirs = new ArrayList<>();
      for (Path root : List.of(fast, slow)) {
        Path user = root.resolve("usercache/user" + uid);
        Path dir = Files.createDirectories(user.resolve("appcache/application_1_" + uid));
        for (Path folder : List.of(user, user.resolve("appcache"), dir)) {
          Files.setAttribute(folder, "unix:uid", uid);
          Files.setAttribute(folder, "unix:mode", 0700);
        }
        dirs.add(dir.toString());
      }
      List<String> program = program("tiered", String.join(",", dirs), uid, bytes, 0, "150");
      start(OtherUser.command(temp, uid, program));
    }
    assertPromisedOnce(bytes, room);
    Set<String> ownersAndModes = new HashSet<>();
    for (String claim : claims().toFile().list((folder, name) -> name.startsWith(bytes + "-"))) {
      Map<String, Object> of = Files.readAttributes(claims().resolve(claim), "unix:uid,mode");
      ownersAndModes.add(of.get("uid") + " " + of.get("mode"));
    }
    int regularOwnersOnly = 0100600;
    assertEquals(
        Set.of(UIDS.get(0) + " " + regularOwnersOnly, UIDS.get(1) + " " + regularOwnersOnly),
        ownersAndModes);
  }

  /** All writers hold what they were promised; together they asked for more than there is. */
  private void assertPromisedOnce(long bytes, long room) throws Exception {
    for (Writer writer : writers) {
      writer.go();
    }
    for (Writer writer : writers) {
      writer.placed.await();
    }
    // All know now how empty the dir was.
    for (Writer writer : writers) {
      writer.go();
    }
    for (Writer writer : writers) {
      assertTrue(writer.ended.await(5, TimeUnit.MINUTES), "a writer is still asking");
      assertTrue(writer.lines.contains("ended"), "a writer failed; its error output is above");
    }
    long promised = claimed() * bytes;
    assertTrue(promised <= room, promised + " bytes were promised where " + room + " fit");
    assertTrue(
        promised >= room / 2, promised + " of " + room + " bytes were promised: far too careful");
  }

  /** It cannot renew its claim, which is then older than the lease; but it runs. */
  @Test
  void aPausedProcessKeepsItsClaim() throws Exception {
    Writer paused = start("tiered", fast + "," + slow, 1, 600_000);
    paused.go();
    paused.placed.await();
    Writer other = start("tiered", fast + "," + slow, 0, 0);
    other.go();
    signal(paused, "STOP");
    // The other one writes all there is meanwhile.
    assertEquals(0, other.process.waitFor());
    String claim = claimOf(paused);
    long stopped = Files.getLastModifiedTime(claims().resolve(claim)).toMillis();
    while (System.currentTimeMillis() < stopped + 2 * LEASE_MILLIS) {
      Thread.sleep(200);
    }
    askOnce();
    assertEquals(claim, claimOf(paused));
    Writer next = start("tiered", fast + "," + slow, 2, 0);
    next.go();
    assertEquals(0, next.process.waitFor());
    next.reader.join();
    assertFalse(next.lines.contains("placed"), "its room was given to another");
    signal(paused, "CONT");
    assertEquals(0, count("ENOSPC"));
  }

  private String claimOf(Writer writer) {
    String[] names = claims().toFile().list((folder, name) -> name.startsWith(FILE_BYTES + "-"));
    String pid = "-" + writer.process.pid() + "-";
    return Arrays.stream(names).filter(name -> name.contains(pid)).findFirst().orElseThrow();
  }

  private static void signal(Writer writer, String signal) throws Exception {
    String pid = Long.toString(writer.process.pid());
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start().waitFor());
  }

  /** Claims of all processes, without those of nothing that are kept for the next file. */
  private int claimed() {
    return claims().toFile().list((folder, name) -> !name.startsWith("0-")).length;
  }

  /** One placement of this process in the fast dir. */
  private void askOnce() throws IOException {
    org.apache.hadoop.conf.Configuration conf = new org.apache.hadoop.conf.Configuration(false);
    conf.set("test.dirs", fast + "," + slow);
    TieredLocalDirAllocator allocator = new TieredLocalDirAllocator("test.dirs");
    allocator.getLocalPathForWrite("attempt_x_spill_0.out", 1 << 20, conf);
    TieredLocalDirs.settleEverything();
    TieredLocalDirAllocator.closeAll();
  }

  private void race(String allocator, String dirs) throws Exception {
    for (int i = 0; i < WRITERS; i++) {
      start(allocator, dirs, i, 0);
    }
    for (Writer writer : writers) {
      writer.go();
    }
    for (Writer writer : writers) {
      assertEquals(0, writer.process.waitFor(), "a writer failed; its error output is above");
      writer.reader.join();
    }
  }

  private long count(String said) {
    return writers.stream()
        .flatMap(writer -> writer.lines.stream())
        .filter(line -> line.startsWith(said))
        .count();
  }

  private Writer start(String allocator, String dirs, int label, long holdMillis) throws Exception {
    return start(allocator, dirs, label, FILE_BYTES, holdMillis);
  }

  private Writer start(
      String allocator, String dirs, int label, long bytes, long holdMillis, String... more)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(program(allocator, dirs, label, bytes, holdMillis, more));
    return start(command);
  }

  private static List<String> program(
      String allocator, String dirs, int label, long bytes, long holdMillis, String... more) {
    List<String> program =
        new ArrayList<>(
            List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                ClaimRaceWriter.class.getName(),
                allocator,
                dirs,
                Long.toString(bytes),
                "attempt_" + label,
                Long.toString(holdMillis)));
    program.addAll(List.of(more));
    return program;
  }

  private Writer start(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Writer writer = new Writer(process);
    writers.add(writer);
    return writer;
  }

  private Path claims() {
    return NodeMarker.claims(fast);
  }

  /** A writer process and what it said. */
  private static final class Writer {
    final Process process;
    final List<String> lines = new ArrayList<>();
    final CountDownLatch placed = new CountDownLatch(1);
    final CountDownLatch ready = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);
    final Thread reader;

    Writer(Process process) {
      this.process = process;
      this.reader = new Thread(this::read);
      reader.start();
    }

    void go() throws Exception {
      ready.await();
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    private void read() {
      try (BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          lines.add(line);
          if (line.equals("ready")) {
            ready.countDown();
          } else if (line.equals("placed")) {
            placed.countDown();
          } else if (line.equals("ended")) {
            ended.countDown();
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        ready.countDown();
        placed.countDown();
        ended.countDown();
      }
    }
  }
}
