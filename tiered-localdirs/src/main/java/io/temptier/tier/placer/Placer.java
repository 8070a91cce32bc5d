// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import com.google.auto.value.AutoValue;
import io.temptier.tier.DirHealth;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.FastFirst;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.policy.TierStates;
import io.temptier.tier.room.DirGauge;
import io.temptier.tier.room.FileSystemCapacity;
import io.temptier.tier.room.GaugeSet;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places files: asks the policy, claims the bytes, checks with every process's claims counted that
 * they fit, and backs off to the next tier when they do not.
 *
 * <p><b>Claim first, then check.</b> A writer's claim stands before it looks at the others', so of
 * two writers racing for the last bytes at least one sees both claims and backs off; both may,
 * which costs a retry after a random pause of at most {@link #LONGEST_PAUSE_NANOS}, never an
 * overcommit.
 *
 * <p><b>Without a claim</b>, where other processes claim and this one cannot, a dir is passed over:
 * it may be full of what they were promised.
 *
 * <p><b>Slow dirs</b>, which the NodeManager found to answer slower than the tier below, are passed
 * over while another tier has room. <b>Dirs that hang</b>, as it found, are not touched at all.
 *
 * <p><b>When no tier has room above its reserve</b> the file goes where stock Hadoop would still
 * have written it: the job is not failed for the sake of a reserve. Slowest tier first: the fast
 * one has other users to lose. Claims are kept to while any dir has room for them, then not; then
 * caps give way too, but a cap of 0, which takes nothing ever.
 *
 * <p><b>Where an earlier attempt failed</b> a file goes only when no other dir takes it.
 *
 * <p>Safe for use by many threads.
 */
public final class Placer implements AutoCloseable {
  /** Makes the file's path in a dir and checks that it can be written there. */
  @FunctionalInterface
  public interface PathMaker {
    /**
     * The path of the file in {@code dir}, whose parent can be written.
     *
     * @throws PathRefusedException when this path cannot, and others in the dir can
     * @throws IOException when it cannot; the dir is then set aside for a while
     */
    Path make(LocalDir dir) throws IOException;
  }

  /** Thrown when one path cannot be written in a dir that is otherwise in order. */
  public static final class PathRefusedException extends IOException {
    public PathRefusedException(IOException cause) {
      super(cause);
    }
  }

  @AutoValue
  public abstract static class Placed {
    public abstract Placement placement();

    public abstract Path file();

    public static Placed of(Placement placement, Path file) {
      return new AutoValue_Placer_Placed(placement, file);
    }
  }

  /** Least size of a claim: smaller files are written at once, and fit the reserve. */
  static final long SMALLEST_CLAIM_BYTES = 128 << 10;

  /** Bound on other files: with room for so many, one process's files are taken to fit. */
  private static final long MOST_OTHERS = 15;

  /** Bound on lost races of one file; a dir that loses another is not tried again for it. */
  private static final int MOST_RACES = 8;

  private static final long LONGEST_PAUSE_NANOS = 2_000_000;

  private final NodeTiers tiers;
  final GaugeSet gauges;
  private final ClaimKeeper keeper;
  private final PlacementListener listener;
  private final TezSpills spills = new TezSpills();
  private final AtomicLong tickets = new AtomicLong(ThreadLocalRandom.current().nextLong());

  /** A placer on this machine. Creates the dirs that are missing, as stock does. */
  public Placer(NodeTiers tiers, PlacementListener listener) {
    this(tiers, listener, new FileSystemCapacity(), System::currentTimeMillis, System::nanoTime);
  }

  Placer(
      NodeTiers tiers,
      PlacementListener listener,
      Capacity.Probe probe,
      LongSupplier clockMillis,
      LongSupplier clockNanos) {
    this.tiers = tiers;
    this.listener = Listeners.of(listener);
    this.gauges = new GaugeSet(tiers, probe, clockMillis, clockNanos, tiers.layout().paths());
    this.keeper = new ClaimKeeper(tiers.settings(), clockMillis, clockNanos, this.listener);
  }

  public NodeTiers tiers() {
    return tiers;
  }

  public PlacementRequest request(String path, long bytes, @Nullable String application) {
    return request(path, bytes, application, 0);
  }

  /**
   * Makes a request for a file that was tried before.
   *
   * @param bytes its size; less than 1 is none. MapReduce and Tez say 0 of files they know nothing
   *     of, and Tez also of an output that it merges of spills, which is as large as they are
   * @param failures attempts at it that failed, as far as is known
   */
  public PlacementRequest request(
      String path, long bytes, @Nullable String application, int failures) {
    FileKind kind = FileKind.of(path);
    long size = kind == FileKind.MAP_OUTPUT && bytes == 0 ? spills.bytes(path) : bytes;
    boolean known = size > 0;
    long expected = known ? size : kind.expectedBytes(tiers.settings().unknownSizeBytes());
    return PlacementRequest.of(path, kind, expected, known, application, tickets.incrementAndGet())
        .needing(roomBytes(kind, expected, known, failures))
        .of(null, tiers.settings().limits());
  }

  /** The room to ask for so that a file which outgrows what its writer says still fits. */
  private long roomBytes(FileKind kind, long expectedBytes, boolean known, int failures) {
    if (kind.isSmall() || (failures == 0 && (known || !kind.isFolder()))) {
      return expectedBytes;
    }
    if (!known && failures > (kind.isFolder() ? 0 : 1)) {
      return Long.MAX_VALUE;
    }
    return Sizes.sum(expectedBytes, tiers.settings().largeSizeBytes());
  }

  /**
   * Makes a request as cautious as stock Hadoop, which draws the dir of a file of unknown size by
   * the room that dirs have: beside as large files as this process writes. A request whose size is
   * known is left as it is.
   */
  public PlacementRequest cautious(PlacementRequest request) {
    if (request.sizeKnown() || request.kind().isSmall() || request.kind().isFolder()) {
      return request;
    }
    long room = request.bytes();
    for (long i = 0; i <= Math.min(keeper.writingUnknown(), MOST_OTHERS); i++) {
      room = Sizes.sum(room, tiers.settings().largeSizeBytes());
    }
    return request.needing(Math.max(request.roomBytes(), room));
  }

  /**
   * Chooses a dir for a file that is about to be written, and claims its bytes there.
   *
   * @return empty when no dir would take it, not even as stock Hadoop would: the caller asks stock,
   *     whose error users know
   */
  public Optional<Placed> place(PlacementRequest request, PathMaker maker) {
    return place(request, Immutable.setOf(), maker);
  }

  /** Places a file that is not to go into some dirs while another takes it. */
  public Optional<Placed> place(PlacementRequest request, Set<LocalDir> failedIn, PathMaker maker) {
    // Dirs that turned out not to take this file. Each round settles a race or adds one.
    Map<DirGauge, Reason> out = new HashMap<>();
    Set<LocalDir> avoided = failedIn;
    for (LocalDir dir : failedIn) {
      out.put(gauges.of(dir), Reason.SET_ASIDE);
    }
    int races = 0;
    boolean fresh = false;
    boolean avoidSlow = true;
    while (true) {
      TierStates states = gauges.states(fresh, avoidSlow, out);
      Optional<Placement> choice = FastFirst.choose(request, states);
      if (!fresh && (!choice.isPresent() || choice.get().refusedByNumbers())) {
        // Refused, but on numbers that may be old.
        fresh = true;
        continue;
      }
      if (!choice.isPresent()) {
        if (avoidSlow && gauges.anySlow()) {
          avoidSlow = false;
          continue;
        }
        if (!avoided.isEmpty()) {
          avoided.forEach(dir -> out.remove(gauges.of(dir)));
          avoided = Immutable.setOf();
          continue;
        }
        return new LastResort(gauges, request, states)
            .place((to, gauge, claim) -> make(request, to, gauge, maker, claim));
      }
      DirGauge gauge = gauges.of(choice.get().dir());
      Claim claim = null;
      if (request.bytes() >= SMALLEST_CLAIM_BYTES) {
        claim = gauge.claim(request.bytes());
        if (claim == null) {
          out.put(gauge, Reason.SET_ASIDE);
          continue;
        }
        if (!gauge.holdsClaim(true)) {
          gauge.release(claim);
          fresh = true;
          if (++races < MOST_RACES) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
          } else {
            out.put(gauge, Reason.RACED);
          }
          continue;
        }
      }
      Optional<Placed> placed = make(request, choice.get(), gauge, maker, claim);
      if (placed.isPresent()) {
        return placed;
      }
      out.put(gauge, Reason.SET_ASIDE);
    }
  }

  /** A claim for writers that ask nobody, to be renewed and released by the caller, or null. */
  public @Nullable Claim hold(LocalDir dir, long bytes) {
    return gauges.of(dir).claim(bytes);
  }

  /** Makes the path, and follows the file from then on; empty when the dir does not take it. */
  private Optional<Placed> make(
      PlacementRequest request,
      Placement placement,
      DirGauge gauge,
      PathMaker maker,
      @Nullable Claim claim) {
    Path file = null;
    try {
      gauge.requireMounted();
      file = maker.make(gauge.dir());
    } catch (PathRefusedException e) {
      return Optional.empty();
    } catch (IOException e) {
      gauge.backoff().failed(e.toString());
      listener.dirFailed(gauge.dir(), e.toString());
      return Optional.empty();
    } finally {
      // The path itself may be nonsense, which the caller must hear and is no dir's fault.
      if (file == null && claim != null) {
        gauge.release(claim);
      }
    }
    gauge.backoff().worked();
    spills.placed(request.kind(), request.path(), file);
    listener.placed(request, placement);
    keeper.track(file, request, placement, gauge, claim);
    return Optional.of(Placed.of(placement, file));
  }

  /** True if a dir hangs, as the NodeManager found. No I/O on it. */
  public boolean hangs(LocalDir dir) {
    return gauges.health(gauges.of(dir)) == DirHealth.HUNG;
  }

  /** Says that a file is complete; its real size is counted and its claim released. */
  public void settle(Path file) {
    keeper.settle(file, -1);
  }

  /** Settles a file whose length may be known; when that is negative the file is looked at. */
  public void settle(Path file, long bytes) {
    keeper.settle(file, bytes);
  }

  /** Says that every file under {@code dir} is complete, or every file at all when it is null. */
  public void settleAll(@Nullable Path dir) {
    keeper.settleAll(dir);
  }

  public int writing() {
    return keeper.size();
  }

  /**
   * Settles what is being written and releases every claim. Files placed afterwards are neither
   * claimed for nor followed.
   */
  @Override
  public void close() {
    keeper.settleAll(null);
    keeper.close(gauges.all());
  }
}
