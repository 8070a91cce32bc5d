// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.NodeRate;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.room.capacity.DirectoryUsage;
import io.temptier.tier.room.capacity.FileSystemCapacity;
import io.temptier.tier.room.capacity.PublishedState;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A block of Spark whose home is on NVMe moves to a disk, while orphans are looked for. */
public class BlockMove implements Protocol {
  private static final String APPLICATION = "application_1_0001";
  private static final Path BELOW = Path.of("usercache", "ann", "appcache", APPLICATION);
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";
  private static final String NAME = "shuffle_0_0_0.data";

  final LocalDir fast;
  final LocalDir slow;
  private final LocalDir home;
  private @Nullable BlockOrphans orphans;
  private @Nullable ColdBlocks cold;
  private long moved;

  BlockMove(Disks disks) {
    fast = Layouts.dir(disks.fast().resolve("nvme"), Medium.NVME);
    slow = Layouts.dir(disks.slow().resolve("disk"), Medium.DISK);
    home = home();
  }

  LocalDir home() {
    return fast;
  }

  static Path application(LocalDir dir) {
    return dir.path().resolve(BELOW);
  }

  private Path sub(LocalDir dir) {
    return application(dir).resolve((dir.equals(home) ? "" : "temptier-") + HOME).resolve("0a");
  }

  private Path name() {
    return sub(home).resolve(NAME);
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
    Files.createFile(application(fast).resolve(ColdBlocks.LOCK));
    Path bytes = name();
    if (!home.equals(fast)) {
      bytes = sub(fast).resolve(NAME + ".1b4e28ba-2fa1-11d2-883f-0016d3cca427");
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
    orphans = orphans();
    cold =
        new ColdBlocks(
            tiers(),
            new NodeRate(tiers().layout().paths(), 1L << 30),
            ColdBlocks::replace,
            (request, placement) -> moved += request.bytes(),
            new FileSystemCapacity());
  }

  private BlockOrphans orphans() {
    return new BlockOrphans(
        tiers().layout(),
        () -> Map.of(APPLICATION, "ann"),
        ProcessTable.uidOf(Path.of("/proc/self")),
        () -> System.currentTimeMillis() + 2 * BlockOrphans.AGE.toMillis(),
        files -> {});
  }

  @Override
  public void act() {
    Map<LocalDir, Path> folders = Map.of(fast, application(fast), slow, application(slow));
    Objects.requireNonNull(cold)
        .round(() -> List.of(ColdBlocks.Blocks.of(APPLICATION, folders, Set.of())));
  }

  @Override
  public void others() {
    Objects.requireNonNull(orphans).round();
  }

  @Override
  public void recover(Ending ending) throws IOException {
    end();
    BlockOrphans rounds = orphans();
    rounds.round();
    rounds.round();
    for (LocalDir dir : List.of(fast, slow)) {
      // As whoever places next.
      new Claims(NodeMarker.claims(dir.path()), System::currentTimeMillis)
          .ofLiving(1L << 30, false);
    }
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
  public boolean stopsAsKilled() {
    return false;
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
}
