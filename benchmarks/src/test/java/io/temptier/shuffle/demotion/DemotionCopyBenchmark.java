// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.bench.jmh.TierBenchmark;
import io.temptier.lab.testbed.Folders;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.DirLookups;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.OutputMover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.demotion.asuser.UserProcesses;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A demotion, without its rate limit, beside a plain copy of the same bytes. A demotion brings the
 * copy to the disk before it gives the original away; so does the second of the plain ones. The map
 * output lies in the faster of two dirs of one disk before each invocation.
 */
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class DemotionCopyBenchmark extends TierBenchmark {
  private static final MapOutputId ID =
      MapOutputId.of(
          "user", "application_1700000000000_0001", "attempt_1700000000000_0001_m_000000_0");

  @Param({"1", "32"})
  public int megabytes;

  private Path root;
  private Path data;
  private LocalDir fast;
  private LocalDir slow;
  private Placer below;
  private OutputMover mover;
  private MoveGate gate;

  @Setup(Level.Trial)
  public void makeDirs() throws IOException {
    root = Files.createTempDirectory("temptier-jmh");
    byte[] noise = new byte[megabytes << 20];
    new Random(1).nextBytes(noise);
    data = Files.write(root.resolve("data"), noise);
    fast = dir("fast", Medium.NVME);
    slow = dir("slow", Medium.DISK);
    TierLayout layout =
        TierLayout.of(List.of(slow), List.of(Medium.values()), any -> Reserve.ofBytes(0));
    below = new Placer(NodeTiers.of(layout, TierSettings.DEFAULT), new PlacementListener() {});
    // No rate to keep to, and nobody else who reads.
    Pace pace = new Pace(Long.MAX_VALUE);
    mover =
        new OutputMover(
            new MoveContext(
                FileStamp.of(root).uid(), () -> false, List.of(fast, slow), new DirLookups(), pace),
            step -> {});
    gate =
        new MoveGate(ID.application(), new Undisturbed(), () -> false, pace, new DemotionTally());
  }

  private LocalDir dir(String name, Medium medium) throws IOException {
    LocalDir dir = LocalDir.of(root.resolve(name), medium, LocalDir.NO_CAP, "benchmark");
    Files.createDirectories(dir.path().resolve(ID.relativePath()));
    return dir;
  }

  private static Path file(LocalDir dir) {
    return dir.path().resolve(ID.relativePath()).resolve(MapOutputId.DATA);
  }

  /** Puts the output back where it was: a hard link, so that nothing is written. */
  @Setup(Level.Invocation)
  public void putBack() throws IOException {
    Files.deleteIfExists(source());
    Files.deleteIfExists(target());
    Files.createLink(source(), data);
  }

  @TearDown(Level.Trial)
  public void removeDirs() throws IOException {
    below.close();
    Folders.delete(root);
  }

  private Path source() {
    return file(fast);
  }

  private Path target() {
    return file(slow);
  }

  /** The application runs all the time, and nobody reads. */
  private static final class Undisturbed implements DemotionHost {
    @Override
    public Optional<Map<String, String>> running() {
      return Optional.of(Map.of(ID.application(), ID.user()));
    }

    @Override
    public Optional<UserProcesses> asUsers() {
      return Optional.empty();
    }

    @Override
    public boolean busy(LocalDir dir) {
      return false;
    }

    @Override
    public double fetched(MapOutputId id) {
      return 0;
    }

    @Override
    public long idleNanos(MapOutputId id) {
      return Long.MAX_VALUE;
    }

    @Override
    public void moved(MapOutputId id) {}

    @Override
    public void demoted(PlacementRequest output, Placement below) {}
  }

  /** {@code Files.copy}, to the page cache. */
  @Benchmark
  public Path plainCopy() throws IOException {
    return Files.copy(source(), target());
  }

  /** The same, and to the disk with it. */
  @Benchmark
  public Path plainCopyToDisk() throws IOException {
    Path copy = plainCopy();
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    return copy;
  }

  /** As the NodeManager does it: claim, copy, checks, names and link. */
  @Benchmark
  public Path demotion() throws IOException {
    Candidate output = Candidate.of(ID, fast, FileStamp.of(source()), 0);
    mover.move(List.of(output), below, gate, (moved, to) -> {});
    return target();
  }
}
