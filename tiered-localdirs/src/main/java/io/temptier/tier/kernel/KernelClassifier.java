// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.BlockDevices.Found;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.os.MountTable;
import io.temptier.tier.os.MountTable.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from the kernel what a path lies on: the type of its file system and its mount options
 * ({@code /proc/self/mountinfo}), then the disks below its block device ({@code /sys}).
 *
 * <p>Never throws: what cannot be found out is taken for {@link Medium#DISK}, the careful answer,
 * with the reason. Wrongly slow costs speed; wrongly fast would fill a slow disk first. Reads a few
 * small files a call and caches nothing; safe for use by many threads.
 */
public class KernelClassifier {
  private static final String UNKNOWN = "unknown";

  /** A loop over a file on an overlay over a loop ... ends somewhere. */
  private static final int MAX_DEPTH = 8;

  private static final String MEM_TOTAL = "(?s).*?MemTotal:\\s*(\\d+) kB.*";

  /** Types of file systems, the medium that they are on, what they are. */
  private static final List<List<String>> TYPES = BlockDevices.table("file-systems.txt", 3);

  /** File systems that lie in folders of others. */
  private static final Set<String> STACKED =
      Immutable.setOf("overlay", "overlayfs", "aufs", "unionfs");

  private final Path sysRoot;
  private final Path procRoot;
  private volatile @Nullable MountTable mounts;

  public KernelClassifier() {
    this(Paths.get("/sys"), Paths.get("/proc"));
  }

  /** Asks other trees than {@code /sys} and {@code /proc}. */
  public KernelClassifier(Path sysRoot, Path procRoot) {
    this.sysRoot = sysRoot;
    this.procRoot = procRoot;
  }

  @AutoValue
  public abstract static class Classification {
    /** The slowest medium its bytes may land on. */
    public abstract Medium medium();

    /**
     * Identity of its file system: {@code major:minor} as the kernel numbers the super block, or
     * {@code unknown}; paths of one device share its free space.
     */
    public abstract String device();

    /** Names of the disks below it, such as {@code sda}; empty when the kernel names none. */
    public abstract Set<String> disks();

    public abstract Path mountPoint();

    public abstract String why();

    public static Classification of(
        Medium medium, String device, Set<String> disks, Path mountPoint, String why) {
      disks = Immutable.copyOf(disks);
      return new AutoValue_KernelClassifier_Classification(medium, device, disks, mountPoint, why);
    }

    /** True if the two certainly lie on one file system, and so share its free space. */
    public boolean sharesFileSystem(Classification other) {
      return !device().equals(UNKNOWN) && device().equals(other.device());
    }
  }

  /**
   * Classifies an absolute path. Symbolic links are followed; a path that does not exist yet is
   * classified by its nearest existing parent.
   */
  public Classification classify(Path path) {
    return classify(path, 0);
  }

  /** The mounts now: the same object as long as none has changed. */
  public MountTable mounts() throws IOException {
    MountTable now = MountTable.read(procRoot.resolve("self/mountinfo"), mounts);
    mounts = now;
    return now;
  }

  /** The options of the mount that a path lies on; empty where the kernel does not tell. */
  public List<String> mountOptions(Path path) {
    try {
      return mounts()
          .of(MountPin.existing(path).toRealPath())
          .map(Mount::options)
          .orElse(Immutable.listOf());
    } catch (IOException | RuntimeException e) {
      return Immutable.listOf();
    }
  }

  /** Reads every disk's counters; empty when the kernel cannot be asked. */
  public Optional<DiskStats> diskStats() {
    Path file = procRoot.resolve("diskstats");
    return read(file, text -> Optional.of(DiskStats.parse(text)), Optional.empty());
  }

  /** Parses a file of the kernel's; returns {@code otherwise} where it cannot be read. */
  private static <T> T read(Path file, Function<String, T> parse, T otherwise) {
    try {
      return parse.apply(Io.readString(file));
    } catch (IOException | RuntimeException e) {
      return otherwise;
    }
  }

  /**
   * The block devices whose counters in {@link #diskStats} tell what a file system moves: the one
   * it is mounted from, of a partition the whole disk, and not what that is stacked on. Where it
   * spans several, the disks below it.
   */
  public Set<String> devices(Classification path) {
    return blocks(0).nameOfNumber(path.device()).map(Immutable::setOf).orElse(path.disks());
  }

  /** The memory of the machine; empty when the kernel cannot be asked. */
  public OptionalLong memoryBytes() {
    return read(
        procRoot.resolve("meminfo"),
        text -> OptionalLong.of(Long.parseLong(text.replaceFirst(MEM_TOTAL, "$1")) << 10),
        OptionalLong.empty());
  }

  /** Size of the file system that holds a path or its nearest existing parent; 0 when unknown. */
  public long totalBytes(Path path) {
    return MountPin.existing(path).toFile().getTotalSpace();
  }

  private Classification classify(Path path, int depth) {
    try {
      if (depth > MAX_DEPTH) {
        throw new IOException("too many file systems stacked on each other");
      }
      Path real = MountPin.existing(path.toAbsolutePath().normalize()).toRealPath();
      Optional<Mount> mount = mounts().of(real);
      return mount.isPresent() ? classify(mount.get(), depth) : careful("no mount of it is listed");
    } catch (IOException | RuntimeException e) {
      return careful("the kernel could not be asked: " + e);
    }
  }

  private static Classification careful(String why) {
    return Classification.of(
        Medium.DISK, UNKNOWN, Immutable.setOf(), Paths.get("/"), why + "; taken for a disk");
  }

  private Classification classify(Mount mount, int depth) {
    Found found = find(mount, depth);
    return Classification.of(
        found.medium(),
        mount.device(),
        found.disks(),
        mount.mountPoint(),
        mount.fsType() + " at " + mount.mountPoint() + ": " + found.why());
  }

  private Found find(Mount mount, int depth) {
    String type = mount.fsType();
    String listed = type.startsWith("fuse.") ? "fuse" : type;
    for (List<String> row : TYPES) {
      if (Arrays.asList(row.get(0).split(" ", -1)).contains(listed)) {
        return Found.of(Medium.valueOf(row.get(1)), Immutable.setOf(), row.get(2));
      }
    }
    if (STACKED.contains(type)) {
      return stacked(mount, depth);
    }
    BlockDevices blocks = blocks(depth);
    Optional<Found> found =
        mount.device().startsWith("0:")
            ? anonymous(mount, blocks)
            : blocks.byNumber(mount.device());
    return found.orElseGet(() -> unknown(mount));
  }

  private BlockDevices blocks(int depth) {
    return new BlockDevices(sysRoot, file -> classify(file, depth + 1));
  }

  /** New files of an overlay go to its upper folder. */
  private Found stacked(Mount mount, int depth) {
    Optional<String> upper = mount.option("upperdir");
    if (!upper.isPresent() || !Files.isDirectory(Paths.get(upper.get()))) {
      String what =
          upper.map(dir -> "its upper folder " + dir + " cannot").orElse("its folders cannot");
      return Found.of(
          Medium.DISK,
          Immutable.setOf(),
          what + " be seen from here; taken for a disk, tag the dir if not");
    }
    Classification below = classify(Paths.get(upper.get()), depth + 1);
    return Found.of(below.medium(), below.disks(), "over " + upper.get() + ", " + below.why());
  }

  /** File systems that span disks have no device number; their source names a member. */
  private static Optional<Found> anonymous(Mount mount, BlockDevices blocks) {
    if (mount.fsType().equals("btrfs")) {
      return blocks.btrfs(mount.source());
    }
    List<Found> members = new ArrayList<>();
    List<String> sources = Arrays.asList(mount.source().split(":", -1));
    sources.forEach(source -> blocks.byPath(source).ifPresent(members::add));
    // A member that cannot be found may be the slowest.
    return members.isEmpty() || members.size() < sources.size()
        ? Optional.empty()
        : Optional.of(Found.slowest(mount.fsType() + " over " + mount.source(), members));
  }

  private static Found unknown(Mount mount) {
    return Found.of(
        Medium.DISK,
        Immutable.setOf(),
        "the disks below "
            + mount.source()
            + " are not told (device "
            + mount.device()
            + "); taken for a disk, tag the dir if not");
  }
}
