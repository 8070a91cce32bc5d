// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.fixtures.Trees;
import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.fixtures.sweep.Sweep;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.demotion.BlockBatch;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.Launch;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.demotion.UserBlocks;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.room.DirectoryUsage;
import io.temptier.tier.room.FileSystemCapacity;
import io.temptier.tier.room.PublishedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A block of Spark whose home is on NVMe moves to a disk. */
public class BlockMove implements Protocol {
  static final String APPLICATION = "application_1_0001";
  private static final Path BELOW = Path.of("usercache", "ann", "appcache", APPLICATION);
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";

  final LocalDir fast;
  final LocalDir slow;
  private final LocalDir home;
  private @Nullable ColdBlocks cold;
  long moved;
  boolean written;

  BlockMove(Disks disks) {
    fast = Layouts.dir(disks.fast().resolve("nvme"), Medium.NVME);
    slow = Layouts.dir(disks.slow().resolve("disk"), Medium.DISK);
    home = home();
  }

  LocalDir home() {
    return fast;
  }

  String blockName() {
    return "shuffle_0_0_0.data";
  }

  static Path application(LocalDir dir) {
    return dir.path().resolve(BELOW);
  }

  final Path sub(LocalDir dir) {
    return application(dir).resolve((dir.equals(home) ? "" : "temptier-") + HOME).resolve("0a");
  }

  final Path name() {
    return sub(home).resolve(blockName());
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    for (LocalDir dir : List.of(fast, slow)) {
      Files.setAttribute(
          Files.createDirectories(NodeMarker.claims(dir.path())), "unix:mode", 01777);
      PublishedState.of(System.currentTimeMillis(), DirectoryUsage.Usage.UNKNOWN, 0, 0)
          .write(dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.STATE));
      Files.createDirectories(application(dir));
    }
    // For all blocks of the home; they go with the application.
    found.allow(path -> path.toString().contains("temptier-" + HOME) && Files.isDirectory(path));
    Files.createDirectories(sub(home));
    Files.createDirectories(sub(fast));
    Files.createFile(application(fast).resolve(ColdBlocks.SHARED));
    Path bytes = name();
    if (!home.equals(fast)) {
      bytes = sub(fast).resolve(blockName() + ".1b4e28ba-2fa1-11d2-883f-0016d3cca427");
      Files.createSymbolicLink(name(), bytes);
    }
    byte[] content = new byte[20_000];
    new Random(7).nextBytes(content);
    Files.write(bytes, content);
    Files.setAttribute(bytes, "unix:mode", 0640);
    Files.setLastModifiedTime(bytes, FileTime.fromMillis(1_000_000));
    found.keep(name());
  }

  private NodeTiers tiers() {
    return Layouts.relieved(0, 0, fast, slow);
  }

  @Override
  public void start() {
    cold =
        new ColdBlocks(
            tiers(),
            new Pace(1L << 30),
            (request, placement) -> moved += request.bytes(),
            new FileSystemCapacity());
  }

  ColdBlocks.Blocks blocks(Map<LocalDir, Path> folders) {
    return ColdBlocks.Blocks.of(APPLICATION, folders, Set.of());
  }

  final BlockOrphans orphans() {
    return new BlockOrphans(
        tiers().layout(),
        () -> Map.of(APPLICATION, "ann"),
        ProcessTable.uidOf(Path.of("/proc/self")),
        () -> System.currentTimeMillis() + 2 * BlockOrphans.AGE.toMillis(),
        () -> {});
  }

  @Override
  public void act() {
    Map<LocalDir, Path> folders = Map.of(fast, application(fast), slow, application(slow));
    Objects.requireNonNull(cold).round(() -> List.of(blocks(folders)));
  }

  @Override
  public void recover(Ending ending) throws IOException {
    end();
    cleanUp();
    for (LocalDir dir : List.of(fast, slow)) {
      // As whoever places next.
      new Claims(NodeMarker.claims(dir.path()), System::currentTimeMillis)
          .ofLiving(1L << 30, false);
    }
  }

  void cleanUp() throws IOException {
    BlockOrphans rounds = orphans();
    rounds.round();
    rounds.round();
  }

  @Override
  public void check(Ending ending, Invariants found) throws IOException {
    if (!ending.killed()) {
      boolean below = name().toRealPath().startsWith(slow.path().toRealPath());
      if (!ending.hindered() && !below) {
        found.problem("NOT DONE");
      }
      if (below != (moved > 0)) {
        found.problem("MISREPORTED " + moved + " bytes moved, below is " + below);
      }
    }
  }

  @Override
  public void end() {
    if (cold != null) {
      cold.close();
    }
  }

  /** The same where the home is on the disk, in which a link leads to the bytes on NVMe. */
  public static final class BlockMoveOfSlowHome extends BlockMove {
    BlockMoveOfSlowHome(Disks disks) {
      super(disks);
    }

    @Override
    LocalDir home() {
      return slow;
    }
  }

  /** Its executor deletes it and writes another of the same name, as a cached block. */
  public static final class BlockMoveBesideAnother extends BlockMove {
    private static final byte[] OTHER = {1, 2, 3};
    private @Nullable Invariants found;

    BlockMoveBesideAnother(Disks disks) {
      super(disks);
    }

    @Override
    String blockName() {
      return "rdd_1_1";
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      this.found = found;
    }

    @Override
    public void others() throws IOException {
      Path name = name();
      do {
        Path bytes = Files.isSymbolicLink(name) ? Files.readSymbolicLink(name) : name;
        Files.delete(name);
        Files.deleteIfExists(bytes);
      } while (ColdBlocks.withdraw(name));
      Files.write(name, OTHER);
      written = true;
      Objects.requireNonNull(found).keepAgain();
    }

    @Override
    public void check(Ending ending, Invariants found) throws IOException {
      if (!written) {
        super.check(ending, found);
      } else if (!Arrays.equals(OTHER, Files.readAllBytes(name()))) {
        found.problem("LOST what was written since");
      }
    }
  }

  /** It is another user's, so that its calls are made as the user; the NodeManager's are not. */
  public static final class BlockMoveAsUser extends BlockMove {
    private static final int UID = 1234;

    BlockMoveAsUser(Disks disks) {
      super(disks);
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      for (LocalDir dir : List.of(fast, slow)) {
        Trees.give(dir.path().resolve("usercache").resolve("ann"), UID);
      }
      found.keepAgain();
    }

    @Override
    ColdBlocks.Blocks blocks(Map<LocalDir, Path> folders) {
      return ColdBlocks.Blocks.ofOther(
          APPLICATION,
          folders,
          new UserBlocks(
              new Batches(),
              application -> (target, bytes) -> {},
              (request, placement) -> moved += request.bytes()));
    }

    private static final class Batches extends UserBatches {
      Batches() {
        super(Optional::empty, 1L << 30, Duration.ZERO, System::nanoTime);
      }

      @Override
      public String run(
          ApplicationUser who,
          Launch java,
          List<String> arguments,
          LocalDir from,
          LocalDir to,
          long bytes,
          MoveControl control)
          throws IOException {
        makeRoom(from);
        Sweep.actAs(UID);
        try {
          BlockBatch.run(who.user(), who.application(), from.path(), arguments, 1 << 20, control);
          return "it ended";
        } finally {
          Sweep.actAs(0);
        }
      }
    }

    /** The next batch of the application. */
    @Override
    void cleanUp() throws IOException {
      List<String> task =
          List.of("0", slow.path().toString(), fast.path().toString(), slow.path().toString());
      BlockBatch.run("ann", APPLICATION, fast.path(), task, 1 << 20, (target, bytes) -> {});
    }

    @Override
    public void check(Ending ending, Invariants found) throws IOException {
      // Where it could not be looked at, it is not known to have moved.
      if (!ending.hindered() || moved > 0) {
        super.check(ending, found);
      }
    }
  }

  /** What a killed mover and a deleted link left is deleted. */
  public static final class OrphansDeleted extends BlockMove {
    private final Path orphan;
    private final Path copy;
    private @Nullable BlockOrphans orphans;

    OrphansDeleted(Disks disks) {
      super(disks);
      orphan = sub(slow).resolve("shuffle_0_1_0.data.1");
      copy = sub(slow).resolve("shuffle_0_2_0.data.2");
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      Files.createDirectories(orphan.getParent());
      for (Path file : new Path[] {orphan, copy}) {
        Files.writeString(file, file.toString());
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
      }
      String begun = ColdBlocks.TEMPORARY_LINK;
      Files.createSymbolicLink(sub(fast).resolve(begun + "1"), copy);
      Files.createSymbolicLink(sub(fast).resolve(begun + "2"), sub(slow).resolve("not-begun"));
    }

    /** They are found. */
    @Override
    public void start() {
      super.start();
      orphans = orphans();
      orphans.round();
    }

    /** They go. */
    @Override
    public void act() {
      Objects.requireNonNull(orphans).round();
    }

    @Override
    public void check(Ending ending, Invariants found) {
      for (Path file : new Path[] {orphan, copy}) {
        if (Files.exists(file)) {
          found.problem("LEFT " + file);
        }
      }
    }
  }
}
