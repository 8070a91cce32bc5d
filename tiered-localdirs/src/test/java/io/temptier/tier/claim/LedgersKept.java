// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.tier.Layouts;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ledgers are made, lengthened, renewed, shortened, dropped and swept, with a lease for one. */
public class LedgersKept implements Protocol {
  private static final long MB = 1 << 20;
  private static final String APPLICATION = "application_1_0001";
  private static final String CONTAINER = "container_1_0001_01_000002";
  private static final int ANN = 30_001;

  private final Path root;
  private final Path folder;
  private @Nullable Claims claims;
  private @Nullable Claim kept;
  private @Nullable ClaimSweep sweep;
  private volatile long aheadMillis;

  LedgersKept(Disks disks) {
    root = disks.fast().resolve("yarn");
    folder = Layouts.claimsOf(root);
  }

  private Claims claims() {
    return new Claims(folder, new ProcessTable(), System::currentTimeMillis);
  }

  private long clock() {
    return System.currentTimeMillis() + aheadMillis;
  }

  private static long promised(Claims claims) {
    return claims.outstanding(1L << 40, Long.MAX_VALUE, 0).bytes();
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    Layouts.root(root);
    Files.setAttribute(folder, "unix:mode", 01777);
    Path ofDead = Layouts.sparse(folder.resolve("4194304-1-0-none-1"), MB);
    Path ofContainer = Layouts.sparse(folder.resolve("4194304-1-0-" + CONTAINER + "-1"), MB);
    for (Path ledger : List.of(ofDead, ofContainer)) {
      Files.setAttribute(ledger, "unix:uid", ANN);
      Files.setLastModifiedTime(ledger, FileTime.fromMillis(0));
    }
    Files.createDirectories(root.resolve("usercache/ann"));
    Files.setAttribute(root.resolve("usercache/ann"), "unix:uid", ANN);
  }

  @Override
  public void start() {
    claims = claims();
    sweep = new ClaimSweep(root, this::clock);
  }

  @Override
  public void act() {
    ClaimSweep ofNode = Objects.requireNonNull(sweep);
    ofNode.sweep(Map.of(APPLICATION, "ann"), Set.of(CONTAINER));
    ofNode.sweep(Map.of(APPLICATION, "ann"), Set.of());
    Claims ledgers = Objects.requireNonNull(claims);
    kept = ledgers.claim(3 * MB).orElse(null);
    Claim other = ledgers.claim(5 * MB).orElse(null);
    if (other != null) {
      other.written(2 * MB);
    }
    ledgers.renew();
    if (other != null) {
      other.release();
    }
    if (kept != null) {
      try {
        kept.extend(MB);
      } catch (IOException e) {
        // It is as long as it was.
      }
      kept.written(MB);
    }
    ledgers.makesFile();
    ledgers.takesFiles();
    promised(ledgers);
    ledgers.drop();
  }

  /** A NodeManager's sweep that is stopped is not one that another thread may be in. */
  @Override
  public void others() {
    sweepOnce(new ClaimSweep(root, this::clock));
  }

  private void sweepOnce(ClaimSweep ofNode) {
    promised(claims());
    ofNode.sweep(Map.of(APPLICATION, "ann"), Set.of());
  }

  @Override
  public void recover(Ending ending) {
    if (sweep == null) {
      start();
    }
    sweepTwice();
  }

  final void sweepTwice() {
    sweepOnce(Objects.requireNonNull(sweep));
    aheadMillis = ClaimSweep.RETRY_MILLIS;
    sweepOnce(Objects.requireNonNull(sweep));
  }

  @Override
  public void check(Ending ending, Invariants found) {
    if (ending.killed()) {
      return;
    }
    Claims ledgers = Objects.requireNonNull(claims);
    Objects.requireNonNull(sweep).sweep(Map.of(), Set.of());
    long seen = promised(claims());
    long wanted = kept == null ? 0 : kept.bytes() - MB;
    if (seen < wanted) {
      found.problem("TOO LITTLE is seen: " + seen + " of " + wanted);
    }
    ledgers.renew();
    seen = promised(claims());
    if (seen != wanted) {
      found.problem("PROMISED " + wanted + ", seen " + seen);
    }
    if (kept != null) {
      kept.release();
    }
    ledgers.drop();
    if (promised(claims()) != 0) {
      found.problem("OUTSTANDING " + promised(claims()));
    }
  }

  /** What is no ledger lies among them. */
  public static final class AmongOthers extends LedgersKept {
    private final Path junk;

    AmongOthers(Disks disks) {
      super(disks);
      junk = Layouts.claimsOf(disks.fast().resolve("yarn")).resolve("junk");
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      Files.createFile(Files.createDirectories(junk.resolve("below")).resolve("file"));
      Files.createSymbolicLink(junk.resolve("link"), junk.resolve("../../.."));
    }

    @Override
    public void act() {
      sweepTwice();
    }
  }
}
