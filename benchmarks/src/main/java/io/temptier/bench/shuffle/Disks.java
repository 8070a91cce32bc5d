// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.testbed.DiskReads;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.MemoryFolder;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.TestbedHome;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fast and the slow disk of a run: emulated ones, or folders that the user named. Closing
 * removes all that the run made on them.
 */
final class Disks implements AutoCloseable {
  /** For the handlers' own files. */
  private static final long MARGIN_BYTES = 64L << 20;

  private final ShufflePlan plan;
  private final Opened opened = new Opened();
  private final Map<String, String> descriptions = new LinkedHashMap<>();
  private Path home = Path.of("");
  private Path fast = Path.of("");
  private @Nullable Path slow;
  private @Nullable EmulatedDisk emulated;
  private @Nullable String skipped;

  private Disks(ShufflePlan plan) {
    this.plan = plan;
  }

  /**
   * Opens them. A slow disk that is emulated is not slow before {@link #slowDown}.
   *
   * @param work where to make folders if nothing else is said
   * @param fastDir a folder on a fast disk, or null
   * @param slowDir a folder on a slow disk, or null; if both are null the disks are emulated where
   *     that is possible
   * @throws IOException when they cannot be made; nothing is left then
   */
  static Disks open(ShufflePlan plan, Path work, @Nullable Path fastDir, @Nullable Path slowDir)
      throws IOException {
    Disks disks = new Disks(plan);
    boolean open = false;
    try {
      if (fastDir != null || slowDir != null) {
        disks.use(work, fastDir, slowDir, "only --fast-dir was given");
      } else {
        String hindrance = disks.tryToEmulate(work);
        if (hindrance != null) {
          disks.use(work, null, null, hindrance);
        }
      }
      open = true;
      return disks;
    } finally {
      if (!open) {
        disks.close();
      }
    }
  }

  /** The run's folder for other files. */
  Path home() {
    return home;
  }

  /** The local dir on the fast disk. */
  Path fast() {
    return fast;
  }

  /** The local dir on the slow disk, or null when there is none. */
  @Nullable Path slow() {
    return slow;
  }

  /** Why there is no slow disk, or null when there is one. */
  @Nullable String skipped() {
    return skipped;
  }

  /** What the disks are, for people. */
  Map<String, String> descriptions() {
    return descriptions;
  }

  /** Whether the slow disk is as slow as the plan says, and not just as the user's is. */
  boolean emulated() {
    return emulated != null;
  }

  /** What the slow disk was asked to read so far, or null when it is not emulated. */
  @Nullable DiskReads slowReads() throws IOException {
    return emulated == null ? null : emulated.reads();
  }

  /** Makes the emulated slow disk slow. Others are it already. */
  void slowDown() throws IOException {
    if (emulated != null) {
      emulated.limit(plan.slowDisk());
    }
  }

  /** What a handler is to be started with so that the slow disk is slow for it. */
  List<String> inGroup(List<String> command) {
    return emulated == null ? command : emulated.inGroup(command);
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  /** Null when it worked, else why not. */
  private @Nullable String tryToEmulate(Path work) throws IOException {
    String hindrance = EmulatedDisk.hindrance().orElse(null);
    if (hindrance != null) {
      return hindrance;
    }
    try {
      emulate(work);
      return null;
    } catch (IOException e) {
      close();
      descriptions.clear();
      return "no disk could be emulated: " + e.getMessage();
    }
  }

  private void emulate(Path work) throws IOException {
    long images = 2 * plan.diskBytes();
    TestbedHome testbed = homeIn(MemoryFolder.ifRoomFor(images + MARGIN_BYTES, images, work));
    home = testbed.path();
    fast = localDir(disk(testbed, "fast").mount());
    EmulatedDisk slowDisk = disk(testbed, "slow");
    slow = localDir(slowDisk.mount());
    emulated = slowDisk;
    descriptions.put("slow", "emulated, " + plan.slowDisk() + ": " + slowDisk.description());
  }

  private EmulatedDisk disk(TestbedHome testbed, String name) throws IOException {
    EmulatedDisk disk = opened.push(EmulatedDisk.create(testbed, name, plan.diskBytes()));
    descriptions.put(name, "not slowed down: " + disk.description());
    return disk;
  }

  private void use(Path work, @Nullable Path fastDir, @Nullable Path slowDir, String hindrance)
      throws IOException {
    home = homeIn(work).path();
    fast = localDir(fastDir == null ? home : homeIn(fastDir).path());
    descriptions.put("fast", store(fast));
    if (slowDir != null) {
      Path local = localDir(homeIn(slowDir).path());
      slow = local;
      descriptions.put("slow", store(local));
    } else {
      skipped = hindrance + ". Name a folder on a slow disk with --slow-dir";
      descriptions.put("slow", "none, " + skipped);
    }
  }

  private TestbedHome homeIn(Path parent) throws IOException {
    return opened.push(TestbedHome.create(parent));
  }

  private static Path localDir(Path parent) throws IOException {
    return Files.createDirectories(parent.resolve("local"));
  }

  private static String store(Path dir) throws IOException {
    return dir
        + " on "
        + Files.getFileStore(dir).type()
        + " of "
        + Sizes.format(Files.getFileStore(dir).getTotalSpace());
  }
}
