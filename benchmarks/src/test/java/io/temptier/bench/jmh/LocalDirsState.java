// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jmh;

import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.lab.testbed.Folders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Local dirs as a NodeManager publishes them, one NVMe and the rest HDDs by their tags, and an
 * allocator over them, stock or tiered. The NVMe's dir, which takes the claims, lies on the
 * machine's own disk. Each other dir is a file system of its own, as on a worker node, where the
 * benchmark may mount one (tmpfs, root); else all lie on one, and the output says so.
 */
@State(Scope.Benchmark)
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class LocalDirsState {
  private static final String KEY = "temptier.jmh.local-dirs";

  /** Local dirs: 1 and 4 as in a small node, 12 as in the source document, 24 as in a dense one. */
  @Param({"1", "4", "12", "24"})
  public int dirs;

  /** Whose allocator. */
  @Param({"stock", "tiered"})
  public String allocator;

  /**
   * How large a file is asked for: {@code loose}, a thousandth of what is free, as a spill on a
   * large NVMe, or {@code tight}, an eighth of it, where every claim of the node must be read.
   */
  @Param({"loose", "tight"})
  public String room;

  private final List<Path> mounts = new ArrayList<>();
  private Path root;
  private long fileBytes;
  private LocalDirAllocator subject;
  private @Nullable TieredLocalDirs tiered;
  private @Nullable LocalDirSeam seam;
  private Configuration conf;

  /** Makes the dirs and the allocator. */
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
  }

  private void mount(Path dir) throws IOException {
    // As large as the disk, so that stock finds room in every dir; nothing is written to it.
    String options = "size=" + root.toFile().getTotalSpace();
    if (run("mount", "-t", "tmpfs", "-o", options, "temptier-jmh", dir.toString())) {
      mounts.add(dir);
    }
  }

  private static boolean run(String... command) throws IOException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Unmounts and removes the dirs. */
  @TearDown(Level.Trial)
  public void removeDirs() throws IOException {
    if (seam != null) {
      seam.takeBack();
    }
    for (Path mount : mounts) {
      run("umount", mount.toString());
    }
    Folders.delete(root);
  }

  /** Places a file; a tiered allocator claims its bytes, and gives the claim back. */
  org.apache.hadoop.fs.Path place(String path) throws IOException {
    org.apache.hadoop.fs.Path file = subject.getLocalPathForWrite(path, fileBytes, conf);
    if (tiered != null) {
      tiered.settled(Path.of(file.toUri().getPath()));
    }
    return file;
  }

  /** Finds the file of {@link #makeDirs}. */
  org.apache.hadoop.fs.Path find() throws IOException {
    return subject.getLocalPathToRead("output/attempt_1/file.out", conf);
  }
}
