// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.room.DirectoryUsage;
import io.temptier.tier.room.PublishedState;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writer processes, each a JVM of its own, that race for a fast tier of 512 MB, which does not hold
 * what all want to write: a real ext4, or a folder with a cap.
 */
class ClaimRaceTest {
  private static final int WRITERS = 16;
  private static final long TIER_BYTES = 512L << 20;
  private static final long FILE_BYTES = 24L << 20;

  /** Some that have names on every Linux, without which Hadoop does not start. */
  private static final List<Integer> UIDS = List.of(1, 65_534);

  /**
   * No claim ends because the machine is busy, and a dir that was full takes files at once again.
   */
  private static final TierSettings SETTINGS =
      Layouts.SETTINGS.toBuilder().claimIdle(Duration.ofMinutes(30)).build();

  @TempDir Path temp;
  private final List<Writer> writers = new ArrayList<>();
  private @Nullable LoopDisk disk;
  private Path fast;
  private Path slow;
  private long capBytes = LocalDir.NO_CAP;

  @BeforeEach
  void makeDirs() throws IOException {
    fast = Files.createDirectories(temp.resolve("fast"));
    slow = Files.createDirectories(temp.resolve("slow"));
  }

  private void makeDisk() throws IOException {
    disk = LoopDisk.create(temp, "fast", TIER_BYTES);
    mark(Reserve.ofBytes(0));
  }

  /** Tells the writers what to keep free. */
  private void mark(Reserve reserve) throws IOException {
    LocalDir fastDir = Layouts.dir(Layouts.root(fast), Medium.NVME, capBytes);
    NodeMarker.write(
        fast, Layouts.tiers(reserve, SETTINGS, fastDir, Layouts.dir(slow, Medium.DISK)));
  }

  @AfterEach
  void endWriters() throws Exception {
    for (Writer writer : writers) {
      writer.process.destroyForcibly().waitFor();
      writer.reader.join();
    }
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  @NeedsLoopDisk
  void tieredWritersNeverOvercommitTheTier() throws Exception {
    makeDisk();
    long room = fast.toFile().getUsableSpace();
    neverOvercommit(room, room * 7 / 10);
  }

  @Test
  @NeedsLoopDisk
  void stockWritersOvercommitTheSameTier() throws Exception {
    makeDisk();
    // So that all ask before any has written what it was promised.
    race("stock", fast.toString(), 1_000);
    assertTrue(count("ENOSPC") > 0, "stock was expected to promise more than there is");
  }

  @Test
  @NeedsLoopDisk
  void claimsOfKilledProcessesVanish() throws Exception {
    makeDisk();
    int living = 8;
    for (int i = 0; i < 2 * living; i++) {
      startTiered(i, FILE_BYTES, 600_000).go();
    }
    writers.forEach(writer -> writer.await("placed"));
    assertEquals(2 * living, claimed());
    for (Writer writer : writers.subList(0, living)) {
      writer.process.destroyForcibly().waitFor();
    }
    // Any placement reads the claims; those without an owner count nothing and are removed.
    Eventually.holds(
        "claims of killed processes are gone",
        () -> {
          askOnce();
          return claimed() <= living;
        });
  }

  @Test
  @NeedsLoopDisk
  void smallFilesOfManyProcessesAreNeverPromisedMoreThanThereIs() throws Exception {
    makeDisk();
    Reserve reserve = Reserve.ofFraction(0.15);
    mark(reserve);
    long room = fast.toFile().getUsableSpace() - reserve.bytesOf(TIER_BYTES) * 9 / 10;
    // Half of what was once taken for too small to look whether it fits.
    long bytes = room / 2048;
    for (int i = 0; i < 4; i++) {
      startTiered(i, bytes, 0, "1500");
    }
    assertPromisedOnce(room);
  }

  /** As of two users' containers: what each may read of the other's is a name and a length. */
  @Test
  @NeedsLoopDisk
  void twoUsersWithUmask077SeeEachOthersClaims() throws Exception {
    makeDisk();
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
    assertPromisedOnce(room);
    Set<Object> owners = new HashSet<>();
    for (String claim : claims().toFile().list()) {
      Map<String, Object> attributes =
          Files.readAttributes(claims().resolve(claim), "unix:uid,mode");
      owners.add(attributes.get("uid"));
      int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
      assertEquals(0, mode & 0022, "its owner alone may write " + claim);
    }
    assertEquals(Set.copyOf(UIDS), owners);
  }

  /** All writers hold what they were promised; together they asked for more than there is. */
  private void assertPromisedOnce(long room) throws Exception {
    for (Writer writer : writers) {
      writer.go();
    }
    writers.forEach(writer -> writer.await("placed"));
    // All know now how empty the dir was.
    for (Writer writer : writers) {
      writer.go();
    }
    writers.forEach(writer -> writer.await("ended"));
    long promised = AllocatorBed.claimed(fast);
    assertTrue(promised <= room, promised + " bytes were promised where " + room + " fit");
    assertTrue(
        promised >= room / 2, promised + " of " + room + " bytes were promised: far too careful");
  }

  /** It cannot renew its claim, which is then older than its lease of five seconds; but it runs. */
  @Test
  @NeedsLoopDisk
  void aPausedProcessKeepsItsClaim() throws Exception {
    makeDisk();
    Writer paused = startTiered(1, FILE_BYTES, 600_000);
    paused.go();
    paused.await("placed");
    Writer other = startTiered(0, FILE_BYTES, 0);
    other.go();
    signal(paused, "STOP");
    // The other one writes all there is meanwhile.
    assertEquals(0, other.process.waitFor());
    File claim = claimOf(paused);
    Eventually.holds(
        "its lease is over", () -> System.currentTimeMillis() > claim.lastModified() + 6_000);
    askOnce();
    assertEquals(claim, claimOf(paused));
    Writer next = startTiered(2, FILE_BYTES, 0);
    next.go();
    assertEquals(0, next.process.waitFor());
    next.reader.join();
    signal(paused, "CONT");
    assertEquals(0, count("ENOSPC"));
    assertFalse(next.lines.contains("placed"), "its room was given to another");
  }

  private File claimOf(Writer writer) {
    String pid = writer.process.pid() + "-";
    return Arrays.stream(ledgers())
        .filter(ledger -> ledger.getName().startsWith(pid))
        .findFirst()
        .orElseThrow();
  }

  private static void signal(Writer writer, String signal) throws Exception {
    Programs.run("kill", "-" + signal, Long.toString(writer.process.pid()));
  }

  /**
   * A NodeManager publishes its walks. Without them each writer guesses how old the walks of others
   * are, and one that waits for a core longer than that would make the machine fail the test.
   */
  @Test
  void tieredWritersNeverExceedTheCap() throws Exception {
    capBytes = TIER_BYTES;
    mark(Reserve.ofBytes(0));
    ScheduledExecutorService walks = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> unused =
          walks.scheduleWithFixedDelay(this::publishWalk, 0, 20, TimeUnit.MILLISECONDS);
      Path state = fast.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
      Eventually.holds("a walk is published", () -> Files.exists(state));
      // What was walked and is still claimed counts twice for a moment.
      neverOvercommit(TIER_BYTES, TIER_BYTES / 2);
    } finally {
      walks.shutdownNow();
      assertTrue(walks.awaitTermination(5, TimeUnit.MINUTES));
    }
  }

  private void publishWalk() {
    long now = System.currentTimeMillis();
    DirectoryUsage.Usage usage = DirectoryUsage.measure(fast, System::currentTimeMillis);
    try {
      PublishedState.of(now, usage, 0, 0)
          .write(fast.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All want more than there is: none fails, and at least so much of the room is used. */
  private void neverOvercommit(long room, long least) throws Exception {
    race("tiered", fast + "," + slow, 0);
    assertEquals(0, count("ENOSPC"), "a writer was promised bytes that were not there");
    long written = count("wrote") * FILE_BYTES;
    assertTrue(written <= room, written + " bytes were written where " + room + " fit");
    assertTrue(
        written >= least,
        written + " of " + room + " bytes were used: writers back off more than they must");
  }

  /** Processes that were promised something. */
  private int claimed() {
    return ledgers().length;
  }

  private File[] ledgers() {
    return claims().toFile().listFiles(ledger -> ledger.length() > 0);
  }

  /** One placement of this process in the fast dir. */
  private void askOnce() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("test.dirs", fast + "," + slow);
    TieredLocalDirAllocator allocator = new TieredLocalDirAllocator("test.dirs");
    allocator.getLocalPathForWrite("attempt_x_spill_0.out", 1 << 20, conf);
    TieredLocalDirs.settleEverything();
    TieredLocalDirs.closeAll();
  }

  private void race(String allocator, String dirs, long holdMillis) throws Exception {
    for (int i = 0; i < WRITERS; i++) {
      start(Programs.java(program(allocator, dirs, i, FILE_BYTES, holdMillis)));
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

  private Writer startTiered(int label, long bytes, long holdMillis, String... more)
      throws IOException {
    String dirs = fast + "," + slow;
    return start(Programs.java(program("tiered", dirs, label, bytes, holdMillis, more)));
  }

  /** What a JVM is to run as a writer, whose files have a label. */
  static List<String> program(
      String allocator, String dirs, Object label, long bytes, long holdMillis, String... more) {
    List<String> program =
        new ArrayList<>(
            List.of(
                "-Xmx64m",
                WriterProcess.class.getName(),
                allocator,
                dirs,
                Long.toString(bytes),
                "attempt_" + label,
                Long.toString(holdMillis)));
    program.addAll(List.of(more));
    return program;
  }

  private Writer start(List<String> command) throws IOException {
    Writer writer = new Writer(Programs.start(command));
    writers.add(writer);
    return writer;
  }

  private Path claims() {
    return NodeMarker.claims(fast);
  }

  /** A writer process and what it said. */
  static final class Writer {
    final Process process;
    final List<String> lines = new CopyOnWriteArrayList<>();
    final Thread reader;

    Writer(Process process) {
      this.process = process;
      this.reader = new Thread(() -> process.inputReader().lines().forEach(lines::add));
      reader.start();
    }

    void go() throws IOException {
      await("ready");
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    /** Waits until it says that; fails when it ends and has not. */
    void await(String word) {
      Eventually.holds("it says " + word, () -> lines.contains(word) || !reader.isAlive());
      assertTrue(lines.contains(word), "a writer failed; its error output is above");
    }
  }

  /**
   * Asks an allocator for a file of known size in the fast dir and writes it in full, again and
   * again, until the allocator sends it elsewhere.
   *
   * <p>Arguments: {@code stock} or {@code tiered}, local dirs with the fast one first, bytes a
   * file, label, milliseconds to hold each place before writing, and, where it is not to write at
   * all but to hold what it was promised, how many files to ask for, the first alone until it is
   * told to go on. Tells on standard output what it does.
   */
  public static final class WriterProcess {
    private static final String KEY = "claim.race.dirs";

    public static void main(String[] args) throws Exception {
      LocalDirAllocator allocator =
          args[0].equals("stock") ? new LocalDirAllocator(KEY) : new TieredLocalDirAllocator(KEY);
      Configuration conf = new Configuration(false);
      conf.set(KEY, args[1]);
      String fast = args[1].split(",", 2)[0] + "/";
      long bytes = Long.parseLong(args[2]);
      long holdMillis = Long.parseLong(args[4]);
      System.out.println("ready");
      if (System.in.read() < 0) {
        return;
      }
      for (int i = 0; i < 10_000; i++) {
        org.apache.hadoop.fs.Path file;
        try {
          file = allocator.getLocalPathForWrite(args[3] + "_spill_" + i + ".out", bytes, conf);
        } catch (DiskErrorException e) {
          break;
        }
        if (!file.toString().startsWith(fast)) {
          break;
        }
        System.out.println("placed");
        if (args.length > 5) {
          if (i == 0 && System.in.read() < 0) {
            return;
          }
          if (i + 1 < Integer.parseInt(args[5])) {
            continue;
          }
          break;
        }
        Thread.sleep(holdMillis);
        try {
          write(file, bytes);
        } catch (IOException e) {
          System.out.println("ENOSPC " + e.getMessage());
          break;
        }
        allocator.getLocalPathToRead(file.getName(), conf);
        System.out.println("wrote");
      }
      System.out.println("ended");
      if (args.length > 5) {
        // Until the test ends it.
        System.in.read();
        System.in.read();
      }
    }

    private static void write(org.apache.hadoop.fs.Path file, long bytes) throws IOException {
      byte[] block = new byte[1 << 16];
      try (OutputStream out = Files.newOutputStream(Path.of(file.toString()))) {
        for (long left = bytes; left > 0; left -= block.length) {
          out.write(block, 0, (int) Math.min(left, block.length));
        }
      }
    }
  }
}
