// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Trees;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.demotion.UserProcesses;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;

/**
 * Local dirs of a node with map outputs as Hadoop writes them, and fakes for all around demotion.
 */
final class TestNode implements Demoter.Host {
  static final String USER = "ann";
  static final String APP = "application_1700000000000_0001";
  static final long MB = 1L << 20;
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00.123456789Z");

  final List<LocalDir> dirs = new ArrayList<>();
  final Map<String, String> users = new ConcurrentHashMap<>();
  final Map<MapOutputId, Double> fetched = new ConcurrentHashMap<>();
  final List<MapOutputId> moved = Collections.synchronizedList(new ArrayList<>());
  volatile Predicate<LocalDir> busy = dir -> false;
  Optional<UserProcesses> asUsers = Optional.empty();
  volatile boolean applicationsKnown = true;

  /** Runs whenever a move or another asks which applications run. */
  volatile Runnable asked = () -> {};

  private final Path root;

  /** What was written is kept, as long as its application runs. */
  final Invariants invariants;

  Reserve reserve = Reserve.ofBytes(MB);

  TestNode(Path root) {
    this.root = root;
    invariants = new Invariants(root);
    invariants.allowClaims();
    // Of attempts that a test made, or that a NodeManager deletes with their application.
    invariants.allow(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS));
  }

  /** Adds a dir of its own folder. */
  LocalDir dir(Medium medium, String name, long capBytes) throws IOException {
    return dir(medium, Files.createDirectories(root.resolve(name)), capBytes);
  }

  /** Adds a dir. */
  LocalDir dir(Medium medium, Path path, long capBytes) throws IOException {
    LocalDir dir = LocalDir.of(path, medium, capBytes, "test");
    dirs.add(dir);
    users.put(APP, USER);
    // As a NodeManager does.
    Files.createDirectories(application(dir, APP));
    return dir;
  }

  /** The folder of an application in a dir. */
  static Path application(LocalDir dir, String application) {
    return dir.path().resolve(LocalDir.application(USER, application));
  }

  /** Gives all that the user has in a dir to an account, as under the Linux container executor. */
  void give(LocalDir dir, int uid) throws IOException {
    Trees.give(dir.path().resolve(LocalDir.home(USER)), uid);
    invariants.keepAgain();
  }

  /** What does not hold; outputs of applications that do not run may be deleted. */
  List<String> problems() throws IOException {
    invariants.drop(
        file -> users.keySet().stream().noneMatch(running -> file.toString().contains(running)));
    return invariants.check();
  }

  /** Leaves a dir as the NodeManager does that deletes an application. */
  static void deleteApplication(LocalDir dir, String application) {
    FileUtil.fullyDelete(application(dir, application).toFile());
  }

  NodeTiers tiers() {
    return tiers(DemotionSettings.DEFAULT);
  }

  NodeTiers tiers(DemotionSettings demotion) {
    TierSettings settings =
        TierSettings.DEFAULT.toBuilder()
            .unknownSizeBytes(64 * MB)
            .refresh(Duration.ofMillis(10))
            .claimIdle(Duration.ofSeconds(30))
            .build();
    return NodeTiers.of(
        TierLayout.of(dirs, List.of(Medium.values()), medium -> reserve), settings, demotion);
  }

  /** Places in some of the dirs. */
  Placer placer(Predicate<LocalDir> in) {
    return new Placer(tiers().over(tiers().layout().restrictedTo(in)), new PlacementListener() {});
  }

  /** What a NodeManager that starts does about leftovers; how many it removed. */
  int clean() throws IOException {
    MoveContext context = context();
    Leftovers leftovers = new Leftovers(context, moved::add);
    int removed = 0;
    for (LocalDir dir : context.dirs) {
      removed += leftovers.remove(dir, USER, APP);
    }
    return removed;
  }

  /** The user of this process. */
  int uid() throws IOException {
    return FileStamp.of(root).uid();
  }

  MoveContext context() throws IOException {
    return new MoveContext(
        uid(), this::runsAsUsers, tiers().layout().dirs(), MoveContext.PATIENCE, pace());
  }

  /** Moves outputs of this process's user, one step after the other. */
  OutputMover mover() throws IOException {
    return new OutputMover(context());
  }

  /** So fast that nothing waits for it. */
  static Pace pace() {
    return new Pace(1L << 30);
  }

  /** Lets a move go on while its application runs and no device is busy. */
  MoveGate gate() {
    return new MoveGate(APP, this, () -> false, pace(), new DemotionTally());
  }

  /** An output as it is now. */
  Candidate candidate(LocalDir dir, MapOutputId id) throws IOException {
    return Candidate.of(id, dir, FileStamp.of(file(dir, id)), 0);
  }

  /** Demotion of the node, which has begun, over disks that a probe tells of. */
  Demoter start(DemotionSettings settings, Capacity.Probe probe, Duration stall) {
    Demoter demoter =
        new Demoter(
            tiers(settings),
            new Pace(settings.bytesPerSecond()),
            new UserBatches(
                () -> asUsers, settings.bytesPerSecond(), UserBatches.PATIENCE, System::nanoTime),
            this,
            probe,
            stall);
    demoter.start();
    return demoter;
  }

  Demoter start(DemotionSettings settings, Capacity.Probe probe) {
    return start(settings, probe, Demoter.STALL);
  }

  /**
   * Runs demotion of a dir that others have filled until these outputs are moved, these only, and
   * none with an error.
   *
   * @param givenUp how many others are given up meanwhile, at least
   */
  void demoteAll(LocalDir from, int givenUp, MapOutputId... expected) throws Exception {
    FolderDisks disks = new FolderDisks();
    dirs.forEach(dir -> disks.with(dir.path(), 1000 * MB));
    disks.othersUse(from.path(), 1000 * MB);
    DemotionSettings settings = settings(0.5, 0.1, 1L << 30);
    try (Demoter demoter = start(settings, disks)) {
      await(
          "they are moved",
          demoter,
          () ->
              demoter.get(DemotionCounter.FILES_DEMOTED) >= expected.length
                  && demoter.get(DemotionCounter.DEMOTIONS_GIVEN_UP) >= givenUp);
      assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
      assertEquals(expected.length, demoter.get(DemotionCounter.FILES_DEMOTED));
      assertEquals(0, demoter.get(DemotionCounter.DEMOTION_OFF), demoter.offReason()::toString);
    }
    for (MapOutputId id : expected) {
      assertTrue(linked(from, id), id::toString);
    }
  }

  /** Has a demoter look again and again until something holds. */
  static void await(String what, Demoter demoter, BooleanSupplier holds) {
    Eventually.holds(
        what,
        () -> {
          demoter.wake();
          return holds.getAsBoolean();
        });
  }

  static DemotionSettings settings(double high, double low, long bytesPerSecond) {
    DemotionSettings.Marks marks = DemotionSettings.Marks.of(high, true, low, true);
    return DemotionSettings.of(true, marks, bytesPerSecond, Duration.ZERO);
  }

  @Override
  public Optional<Map<String, String>> running() {
    asked.run();
    return applicationsKnown ? Optional.of(Map.copyOf(users)) : Optional.empty();
  }

  @Override
  public boolean runsAsUsers() {
    return asUsers.isPresent();
  }

  @Override
  public boolean busy(LocalDir dir) {
    return busy.test(dir);
  }

  @Override
  public double fetched(MapOutputId id) {
    return fetched.getOrDefault(id, 0.0);
  }

  @Override
  public long idleNanos(MapOutputId id) {
    return Long.MAX_VALUE;
  }

  @Override
  public void moved(MapOutputId id) {
    moved.add(id);
  }

  @Override
  public void demoted(PlacementRequest output, Placement below) {}

  static MapOutputId id(int number) {
    return id(APP, number);
  }

  static MapOutputId id(String application, int number) {
    return MapOutputId.of(
        USER, application, String.format("attempt_1700000000000_0001_m_%06d_0", number));
  }

  /** Writes an output with its index, {@code number} minutes younger than the first. */
  MapOutputId write(LocalDir dir, int number, long bytes) throws IOException {
    return write(dir, id(number), bytes, number);
  }

  /** Writes outputs, numbered from 0. */
  List<MapOutputId> writeAll(LocalDir dir, int outputs, long bytes) throws IOException {
    for (int number = 0; number < outputs; number++) {
      write(dir, number, bytes);
    }
    return IntStream.range(0, outputs).mapToObj(TestNode::id).toList();
  }

  MapOutputId write(LocalDir dir, MapOutputId id, long bytes, int minute) throws IOException {
    Path folder = Files.createDirectories(dir.path().resolve(id.relativePath()));
    Path file = Files.write(folder.resolve(MapOutputId.DATA), TestOutputs.data(id, bytes));
    TestOutputs.writeIndex(folder, bytes);
    Files.setLastModifiedTime(file, FileTime.from(FIRST.plus(Duration.ofMinutes(minute))));
    invariants.keep(file);
    return id;
  }

  /** Reads an output as stock does, by each order of dirs. */
  @SafeVarargs
  final void assertReadable(MapOutputId id, long bytes, List<LocalDir>... orders)
      throws IOException {
    for (List<LocalDir> order : orders) {
      assertArrayEquals(
          TestOutputs.data(id, bytes), TestOutputs.readAsStock(order, id), id::attempt);
    }
  }

  Path file(LocalDir dir, MapOutputId id) {
    return dir.path().resolve(id.relativePath()).resolve(MapOutputId.DATA);
  }

  boolean linked(LocalDir dir, MapOutputId id) {
    return Files.isSymbolicLink(file(dir, id));
  }

  boolean holds(LocalDir dir, MapOutputId id) {
    return Files.isRegularFile(file(dir, id), LinkOption.NOFOLLOW_LINKS);
  }

  /** The outputs that are links in a dir, by number. */
  List<Integer> demoted(LocalDir dir, int numbers) {
    return IntStream.range(0, numbers).filter(number -> linked(dir, id(number))).boxed().toList();
  }

  /** Every file, link and folder below the dirs, but for TempTier's own, relative to its dir. */
  List<String> everything() throws IOException {
    List<String> all = new ArrayList<>();
    for (LocalDir dir : dirs) {
      Trees.below(dir.path()).stream()
          .map(path -> dir.path().relativize(path))
          .filter(path -> !path.toString().isEmpty())
          .filter(path -> !path.startsWith(".temptier") && !path.startsWith("lost+found"))
          .forEach(path -> all.add(dir.path().getFileName() + "/" + path));
    }
    Collections.sort(all);
    return all;
  }

  /** What has a temporary name. */
  List<String> temporary() throws IOException {
    return everything().stream().filter(name -> name.contains(Candidate.TEMPORARY)).toList();
  }
}
