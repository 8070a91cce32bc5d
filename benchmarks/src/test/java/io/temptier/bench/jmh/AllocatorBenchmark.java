// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jmh;

import io.temptier.fixtures.Programs;
import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.lab.testbed.Folders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * A local dir allocator's calls: for a tiered one with the claim made and released.
 *
 * <p>Local dirs as a NodeManager publishes them, one NVMe and the rest HDDs by their tags, and an
 * allocator over them, stock or tiered. The NVMe's dir, which takes the claims, lies on the
 * machine's own disk. Each other dir is a file system of its own, as on a worker node, where the
 * benchmark may mount one (tmpfs, root); else all lie on one, and the output says so.
 */
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class AllocatorBenchmark extends TierBenchmark {
  private static final String KEY = "temptier.jmh.local-dirs";

  /** Local dirs: 1, and 12 as in the source document. */
  @Param({"1", "12"})
  public int dirs;

  @Param({"stock", "tiered"})
  public String allocator;

  /**
   * How large a file is asked for: {@code loose}, a thousandth of what is free, as a spill on a
   * large NVMe, or {@code tight}, an eighth of it, where every claim of the node must be read.
   */
  @Param({"loose", "tight"})
  public String room;

  /** Files of unknown size that this process is writing. */
  @Param({"10", "10000"})
  public int own;

  private final AtomicLong spills = new AtomicLong();
  private final List<Path> mounts = new ArrayList<>();
  private Path root;
  private long fileBytes;
  private LocalDirAllocator subject;
  private @Nullable TieredLocalDirs tiered;
  private @Nullable LocalDirSeam seam;
  private Configuration conf;

  @Setup(Level.Trial)
  public void makeDirs() throws IOException {
    root = Files.createTempDirectory("temptier-jmh");
    List<LocalDir> members = new ArrayList<>();
    for (int i = 0; i < dirs; i++) {
      Path dir = Files.createDirectories(root.resolve("disk" + i));
      if (i > 0) {
        mount(dir);
      }
      Files.createDirectories(NodeMarker.claims(dir));
      members.add(
          LocalDir.of(dir, i == 0 ? Medium.NVME : Medium.DISK, LocalDir.NO_CAP, "benchmark"));
    }
    TierLayout layout = TierLayout.of(members, List.of(Medium.values()), medium -> Reserve.DEFAULT);
    for (LocalDir dir : members) {
      NodeMarker.write(dir.path(), NodeTiers.of(layout, TierSettings.DEFAULT));
    }
    if (mounts.size() < dirs - 1) {
      System.out.println("# All dirs lie on one file system: mounting one for each needs root.");
    }
    long free = root.toFile().getUsableSpace();
    fileBytes = room.equals("tight") ? free / 8 : free / 8192;
    conf = new Configuration(false);
    conf.set(
        KEY, members.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(",")));
    subject = new LocalDirAllocator(KEY);
    if (!allocator.equals("stock")) {
      DiskValidator validator = DiskValidatorFactory.getInstance("basic");
      NodeTiers tiers = NodeTiers.of(layout, TierSettings.DEFAULT);
      tiered = new TieredLocalDirs(KEY, validator, tiers);
      try {
        seam = LocalDirSeam.put(KEY, validator, tiered);
      } catch (ReflectiveOperationException e) {
        throw new IOException(e);
      }
    }
    // The file that is read lies in the last dir, where a lookup in order finds it last.
    Path last = members.get(members.size() - 1).path().resolve("output/attempt_1/file.out");
    Files.createDirectories(last.getParent());
    Files.writeString(last, "output");
    for (int i = 0; i < own; i++) {
      Files.createFile(Path.of(subject.getLocalPathForWrite("own/" + i, conf).toUri().getPath()));
    }
  }

  private void mount(Path dir) {
    // As large as the disk, so that stock finds room in every dir; nothing is written to it.
    String options = "size=" + root.toFile().getTotalSpace();
    try {
      Programs.run("mount", "-t", "tmpfs", "-o", options, "temptier-jmh", dir.toString());
      mounts.add(dir);
    } catch (IOException e) {
      // It may not, and says so below.
    }
  }

  @TearDown(Level.Trial)
  public void removeDirs() throws IOException {
    if (seam != null) {
      seam.takeBack();
    }
    for (Path mount : mounts) {
      Programs.run("umount", mount.toString());
    }
    Folders.delete(root);
  }

  /** {@code getLocalPathForWrite} of a spill; a tiered one claims, and gives the claim back. */
  @Benchmark
  public org.apache.hadoop.fs.Path pathForWrite() throws IOException {
    String spill = "attempt_1_spill_" + spills.incrementAndGet() + ".out";
    org.apache.hadoop.fs.Path file = subject.getLocalPathForWrite(spill, fileBytes, conf);
    if (tiered != null) {
      tiered.settled(Path.of(file.toUri().getPath()));
    }
    return file;
  }

  /** The same by 8 threads at a time. */
  @Benchmark
  @Threads(8)
  public org.apache.hadoop.fs.Path pathForWriteByEightThreads() throws IOException {
    return pathForWrite();
  }

  /** {@code getLocalPathToRead} of a file in the slowest dir. */
  @Benchmark
  public org.apache.hadoop.fs.Path pathToRead() throws IOException {
    return subject.getLocalPathToRead("output/attempt_1/file.out", conf);
  }
}
