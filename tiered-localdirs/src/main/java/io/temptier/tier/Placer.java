/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.tier;

import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places files: asks the policy, claims the bytes, checks with every process's claims counted that
 * they fit, and backs off to the next tier when they do not.
 *
 * <p><b>Claim first, then check.</b> A writer's claim stands before it looks at the others', so of
 * two writers racing for the last bytes at least one sees both claims and backs off; both may,
 * which costs a retry after a random pause of at most {@link #LONGEST_PAUSE_NANOS}, never an
 * overcommit.
 *
 * <p><b>When no tier has room above its reserve</b> the file goes where stock Hadoop would still
 * have written it: the job is not failed for the sake of a reserve.
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
     * @throws IOException when it cannot; the dir is then set aside for a while
     */
    Path make(LocalDir dir) throws IOException;
  }

  /**
   * A file with its place.
   *
   * @param placement the decision
   * @param file the path to write
   */
  public record Placed(Placement placement, Path file) {}

  /**
   * One dir as it is now, for metrics and {@code status}.
   *
   * @param dir the dir
   * @param capacity its file system
   * @param reserveBytes what is kept free
   * @param claims what is outstanding in the dir
   * @param headroomBytes what a new file could have
   * @param setAside whether it is set aside after errors
   * @param failures errors since the start
   */
  public record DirView(
      LocalDir dir,
      Capacity capacity,
      long reserveBytes,
      Claims.Outstanding claims,
      long headroomBytes,
      boolean setAside,
      long failures) {}

  /**
   * Smaller files are not claimed for: they are written at once, and the reserve holds thousands of
   * them.
   */
  static final long SMALLEST_CLAIM_BYTES = 128 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(Placer.class);
  private static final int MOST_RACES = 8;
  private static final long LONGEST_PAUSE_NANOS = 2_000_000;

  private final NodeTiers tiers;
  private final PlacementPolicy policy;
  private final List<DirGauge> gauges = new ArrayList<>();
  private final List<List<DirGauge>> gaugesByTier = new ArrayList<>();
  private final ApplicationUsage applicationUsage;
  private final ClaimKeeper keeper;
  private final PlacementListener listener;
  private final AtomicLong tickets = new AtomicLong(ThreadLocalRandom.current().nextLong());

  /** A placer on this machine. Creates the dirs that are missing, as stock does. */
  public Placer(NodeTiers tiers, PlacementListener listener) {
    this(
        tiers,
        listener,
        new FileSystemCapacity(),
        new ProcessTable(Path.of("/proc")),
        System::currentTimeMillis,
        System::nanoTime);
  }

  Placer(
      NodeTiers tiers,
      PlacementListener listener,
      CapacityProbe probe,
      ProcessTable processes,
      LongSupplier clockMillis,
      LongSupplier clockNanos) {
    this.tiers = tiers;
    this.listener = new Guarded(listener);
    this.policy = tiers.settings().policy().create();
    for (Tier tier : tiers.layout().tiers()) {
      List<DirGauge> ofTier = new ArrayList<>();
      for (LocalDir dir : tier.dirs()) {
        Path folder = dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.CLAIMS);
        Claims claims = new Claims(folder, processes, clockMillis);
        ofTier.add(
            new DirGauge(dir, tier, tiers.settings(), probe, claims, clockMillis, clockNanos));
      }
      gaugesByTier.add(List.copyOf(ofTier));
      gauges.addAll(ofTier);
    }
    gauges.forEach(gauge -> gauge.shareDeviceWith(gauges));
    this.applicationUsage = new ApplicationUsage(tiers.settings(), clockMillis);
    this.keeper =
        new ClaimKeeper(tiers.settings(), clockMillis, clockNanos, this.listener::settled);
  }

  /** What this placer places by. */
  public NodeTiers tiers() {
    return tiers;
  }

  /** A request as the settings see it. Thread-safe. */
  public PlacementRequest request(String path, long bytes, @Nullable String application) {
    FileKind kind = FileKind.of(path);
    boolean known = bytes >= 0;
    long expected = known ? bytes : kind.expectedBytes(tiers.settings().unknownSizeBytes());
    return new PlacementRequest(
        path, kind, expected, known, application, tickets.incrementAndGet());
  }

  /**
   * Chooses a dir for a file that is about to be written, and claims its bytes there.
   *
   * @return empty when no dir would take it, not even as stock Hadoop would: the caller asks stock,
   *     whose error users know
   */
  public Optional<Placed> place(PlacementRequest request, PathMaker maker) {
    int races = 0;
    boolean fresh = false;
    for (int tries = 0; tries < MOST_RACES + 2 * gauges.size() + 2; tries++) {
      Optional<Placement> choice = policy.choose(request, new LazyStates(request, fresh));
      boolean refusedOnOldNumbers = !fresh && choice.map(Placement::spilledDown).orElse(true);
      if (refusedOnOldNumbers) {
        fresh = true;
        continue;
      }
      boolean withinReserve = choice.isPresent();
      Placement placement = withinReserve ? choice.get() : overReserve(request).orElse(null);
      if (placement == null) {
        return Optional.empty();
      }
      DirGauge gauge = gaugeOf(placement.dir());
      Claim claim = claim(gauge, request);
      if (claim != null && withinReserve && !gauge.holdsClaim(request.bytes())) {
        claim.release();
        fresh = true;
        if (++races < MOST_RACES) {
          LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
        }
        continue;
      }
      Path file = makePath(gauge, maker, claim);
      if (file != null) {
        keeper.track(file, request, placement, gauge, claim);
        listener.placed(request, placement);
        return Optional.of(new Placed(placement, file));
      }
    }
    return Optional.empty();
  }

  private static @Nullable Claim claim(DirGauge gauge, PlacementRequest request) {
    return request.bytes() < SMALLEST_CLAIM_BYTES
        ? null
        : gauge.claims().claim(request.bytes(), request.application()).orElse(null);
  }

  private @Nullable Path makePath(DirGauge gauge, PathMaker maker, @Nullable Claim claim) {
    try {
      Path file = maker.make(gauge.dir());
      gauge.worked();
      return file;
    } catch (IOException | RuntimeException e) {
      if (claim != null) {
        claim.release();
      }
      gauge.failed(e.toString());
      listener.dirFailed(gauge.dir(), e.toString());
      return null;
    }
  }

  /**
   * The roomiest dir that stock would accept, slowest tier first: the fast one has other users to
   * lose.
   */
  private Optional<Placement> overReserve(PlacementRequest request) {
    List<Placement.Refusal> refusals = new ArrayList<>();
    DirState best = null;
    for (int i = gaugesByTier.size() - 1; i >= 0 && best == null; i--) {
      for (DirGauge gauge : gaugesByTier.get(i)) {
        DirState state = gauge.state(true);
        if (state.refusal() != Reason.SET_ASIDE
            && state.usableBytes() > request.bytes()
            && (best == null || state.usableBytes() > best.usableBytes())) {
          best = state;
        }
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    for (List<DirGauge> faster : gaugesByTier) {
      if (faster.get(0).tier().dirs().contains(best.dir())) {
        break;
      }
      refusals.add(
          new Placement.Refusal(
              faster.get(0).tier().medium(), faster.get(0).state(false).refusal(), 0));
    }
    return Optional.of(new Placement(best.dir(), Reason.OVER_RESERVE, refusals));
  }

  private DirGauge gaugeOf(LocalDir dir) {
    for (DirGauge gauge : gauges) {
      if (gauge.dir().equals(dir)) {
        return gauge;
      }
    }
    throw new IllegalArgumentException(dir + " is not in the layout " + tiers.layout().dirs());
  }

  /** Says that a file is complete; its real size is counted and its claim released. */
  public void settle(Path file) {
    keeper.settle(file);
  }

  /** Says that every file under {@code dir} is complete, or every file at all when it is null. */
  public void settleAll(@Nullable Path dir) {
    keeper.settleAll(dir);
  }

  /** Files placed and not yet complete. */
  public int writing() {
    return keeper.size();
  }

  /** Every dir as it is now, fastest first; a dir that cannot be read has a capacity of 0. */
  public List<DirView> view() {
    List<DirView> views = new ArrayList<>();
    for (DirGauge gauge : gauges) {
      DirGauge.Reading reading = gauge.setAside() ? null : gauge.recent();
      views.add(
          reading == null
              ? new DirView(
                  gauge.dir(),
                  new Capacity(0, 0, 0, 0),
                  0,
                  Claims.Outstanding.NONE,
                  0,
                  true,
                  gauge.failedCount())
              : new DirView(
                  gauge.dir(),
                  reading.capacity(),
                  reading.reserveBytes(),
                  reading.outstanding(),
                  reading.headroomBytes(),
                  false,
                  gauge.failedCount()));
    }
    return views;
  }

  /** Settles what is being written and releases every claim. The placer is of no use afterwards. */
  @Override
  public void close() {
    keeper.settleAll(null);
    keeper.close();
  }

  /**
   * The tiers, each read only when the policy looks at it: a hung remote mount does not delay a
   * file that a faster tier takes.
   */
  private final class LazyStates extends AbstractList<TierState> {
    private final PlacementRequest request;
    private final boolean fresh;
    private final @Nullable TierState[] read = new TierState[gaugesByTier.size()];

    LazyStates(PlacementRequest request, boolean fresh) {
      this.request = request;
      this.fresh = fresh;
    }

    @Override
    public TierState get(int index) {
      TierState state = read[index];
      if (state == null) {
        List<DirGauge> members = gaugesByTier.get(index);
        List<DirState> dirs = new ArrayList<>(members.size());
        for (DirGauge gauge : members) {
          dirs.add(gauge.state(fresh));
        }
        state =
            new TierState(
                tiers.layout().tiers().get(index),
                dirs,
                applicationUsage.headroom(members, request.application()));
        read[index] = state;
      }
      return state;
    }

    @Override
    public int size() {
      return read.length;
    }
  }

  /** A listener's failure is its own: it must not fail a placement. */
  private record Guarded(PlacementListener inner) implements PlacementListener {
    private static final Map<String, Boolean> LOGGED = new ConcurrentHashMap<>();

    @Override
    public void placed(PlacementRequest request, Placement placement) {
      run(() -> inner.placed(request, placement));
    }

    @Override
    public void settled(PlacementRequest request, Placement placement, long bytes) {
      run(() -> inner.settled(request, placement, bytes));
    }

    @Override
    public void dirFailed(LocalDir dir, String error) {
      run(() -> inner.dirFailed(dir, error));
    }

    private static void run(Runnable call) {
      try {
        call.run();
      } catch (RuntimeException e) {
        if (LOGGED.putIfAbsent(e.toString(), true) == null) {
          LOG.warn("A placement listener failed; placement goes on without it", e);
        }
      }
    }
  }
}
