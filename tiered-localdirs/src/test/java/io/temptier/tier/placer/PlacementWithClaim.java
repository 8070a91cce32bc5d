// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.room.DirGauge;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file is placed and settled on a fast dir that has room for one, while another process asks. */
public class PlacementWithClaim implements Protocol {
  private static final long BYTES = 1 << 20;
  private static final long ROOM = BYTES * 3 / 2;
  private static final String NAME = "spill0";

  private final LocalDir fast;
  private final LocalDir slow;
  private final Capacity.Probe probe;
  private final DirGauge other;
  private @Nullable Placer placer;
  private @Nullable Placement placed;
  private @Nullable Claim ofOther;

  PlacementWithClaim(Disks disks) {
    fast = Layouts.dir(disks.fast().resolve("yarn"), Medium.NVME);
    slow = Layouts.dir(disks.slow().resolve("yarn"), Medium.DISK);
    probe =
        path -> {
          if (!Files.isDirectory(path)) {
            throw new IOException(path + " is missing");
          }
          long room = path.startsWith(fast.path()) ? ROOM : 10 * BYTES;
          return Capacity.of(room, room, 0, 0);
        };
    // A process of its own, as far as claims go.
    other =
        new DirGauge(
            fast,
            Tier.of(Medium.NVME, List.of(fast), Reserve.ofBytes(0)),
            Layouts.SETTINGS,
            probe,
            new Claims(
                Layouts.claimsOf(fast.path()), new ProcessTable(), System::currentTimeMillis),
            System::currentTimeMillis,
            System::nanoTime);
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    Layouts.root(fast.path());
    Layouts.root(slow.path());
  }

  @Override
  public void start() {
    placer =
        new Placer(
            Layouts.tiers(Reserve.ofBytes(0), Layouts.SETTINGS, fast, slow),
            new PlacementListener() {},
            probe,
            System::currentTimeMillis,
            System::nanoTime);
  }

  @Override
  public void act() {
    Placer made = Objects.requireNonNull(placer);
    made.place(made.request(NAME, BYTES, null), dir -> Files.createFile(dir.path().resolve(NAME)))
        .ifPresent(file -> placed = file.placement());
  }

  /** The other process asks for the same room. */
  @Override
  public void others() {
    Claim claim = ofOther == null ? other.claim(BYTES) : null;
    if (claim != null && other.holdsClaim(true)) {
      ofOther = claim;
    } else if (claim != null) {
      other.release(claim);
    }
  }

  @Override
  public void recover(Ending ending) throws IOException {
    if (!ending.killed()) {
      others();
    }
  }

  @Override
  public void check(Ending ending, Invariants found) {
    // The last resort asks for no room: stock Hadoop would have the file fail.
    if (placed != null
        && placed.reason() != Reason.OVER_RESERVE
        && fast.equals(placed.dir())
        && ofOther != null) {
      found.problem("PROMISED TWICE");
    }
    if (!ending.killed() && placed == null) {
      found.problem("NOWHERE, though a call failed on one disk at most");
    }
    if (placer != null && placed != null) {
      placer.settle(placed.dir().path().resolve(NAME));
    }
    end();
    // What the dead left, the next who claims removes.
    other.claims().ofLiving(ROOM, false);
    new Claims(Layouts.claimsOf(slow.path()), System::currentTimeMillis).ofLiving(ROOM, false);
  }

  @Override
  public void end() {
    if (ofOther != null) {
      other.release(ofOther);
      ofOther = null;
    }
    other.claims().drop();
    if (placer != null) {
      placer.close();
    }
  }

  /** The same where the other process was first. */
  public static final class PlacementBesideClaim extends PlacementWithClaim {
    PlacementBesideClaim(Disks disks) {
      super(disks);
    }

    @Override
    public void start() {
      super.start();
      others();
    }
  }
}
