// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.tier.kernel.KernelClassifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;

/** Trees like {@code /sys} and {@code /proc} in a folder, links included, with mounts below it. */
public final class FakeKernel {
  private final Path root;
  private final Path sys;
  private final List<String> mounts = new ArrayList<>();
  private int lastMount = 1;
  private ToLongFunction<Path> totalBytes = path -> 0;

  public FakeKernel(Path folder) {
    root = real(folder);
    sys = root.resolve("sys");
    for (String dir : List.of("sys/dev/block", "sys/class/block", "proc/self")) {
      unchecked(() -> Files.createDirectories(root.resolve(dir)));
    }
    mounts.add("1 0 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw");
    flush();
  }

  public KernelClassifier classifier() {
    return new KernelClassifier(sys, root.resolve("proc")) {
      @Override
      public long totalBytes(Path path) {
        return totalBytes.applyAsLong(path);
      }
    };
  }

  /** Says how large the file system is that holds a path. */
  public FakeKernel sized(ToLongFunction<Path> bytes) {
    totalBytes = bytes;
    return this;
  }

  /** The folder, free of links. */
  public Path root() {
    return root;
  }

  /** A block device in the given folder below {@code sys/devices}. */
  public FakeKernel device(String folder, String name, String number) {
    Path dir = sys.resolve("devices").resolve(folder).resolve(name);
    write(dir.resolve("dev"), number);
    link(sys.resolve("dev/block").resolve(number), dir);
    link(sys.resolve("class/block").resolve(name), dir);
    return this;
  }

  /** A disk that rotates, or does not. */
  public FakeKernel disk(String name, String number, int rotational) {
    return device("pci0000:00/block", name, number).set(name, "queue/rotational", rotational + "");
  }

  public FakeKernel partition(String disk, String name, String number) {
    return partition("pci0000:00/block", disk, name, number);
  }

  /** A partition of a disk in the given folder below {@code sys/devices}. */
  public FakeKernel partition(String folder, String disk, String name, String number) {
    Path dir = sys.resolve("devices").resolve(folder).resolve(disk).resolve(name);
    write(dir.resolve("partition"), "1");
    link(sys.resolve("dev/block").resolve(number), dir);
    link(sys.resolve("class/block").resolve(name), dir);
    return this;
  }

  /** A device stacked on others, like dm and md. */
  public FakeKernel stacked(String name, String number, String... members) {
    device("virtual/block", name, number).set(name, "queue/rotational", "0");
    for (String member : members) {
      Path slaves = sys.resolve("devices/virtual/block").resolve(name).resolve("slaves");
      link(slaves.resolve(member), real(sys.resolve("class/block").resolve(member)));
    }
    return this;
  }

  /** An attribute of a device, such as {@code queue/rotational}. */
  public FakeKernel set(String device, String attribute, String value) {
    write(real(sys.resolve("class/block").resolve(device)).resolve(attribute), value);
    return this;
  }

  /** A btrfs file system over members. */
  public FakeKernel btrfs(String uuid, String... members) {
    for (String member : members) {
      Path devices = sys.resolve("fs/btrfs").resolve(uuid).resolve("devices");
      link(devices.resolve(member), real(sys.resolve("class/block").resolve(member)));
    }
    return this;
  }

  /** Mounts on the root; the mount point is made. */
  public Path mount(String name, String number, String fsType, String source, String options) {
    return mountOn(1, name, number, fsType, source, options);
  }

  /** Mounts on another mount; the mount point is made. */
  public Path mountOn(
      int parent, String name, String number, String fsType, String source, String options) {
    Path point = root.resolve("mnt").resolve(name);
    unchecked(() -> Files.createDirectories(point));
    lastMount++;
    mounts.add(
        String.format(
            "%d %d %s / %s rw,relatime shared:%d - %s %s %s",
            lastMount,
            parent,
            number,
            point.toString().replace(" ", "\\040"),
            lastMount,
            fsType,
            source,
            options));
    flush();
    return point;
  }

  public int lastMount() {
    return lastMount;
  }

  public void mountinfo(String text) {
    write(root.resolve("proc/self/mountinfo"), text);
  }

  public void diskstats(String text) {
    write(root.resolve("proc/diskstats"), text);
  }

  public FakeKernel memory(long bytes) {
    write(
        root.resolve("proc/meminfo"),
        "MemTotal:       " + (bytes >> 10) + " kB\nMemFree:        1024 kB");
    return this;
  }

  private void flush() {
    mountinfo(String.join("\n", mounts) + "\n");
  }

  private static Path real(Path link) {
    return unchecked(link::toRealPath);
  }

  private static void link(Path link, Path target) {
    unchecked(
        () -> {
          Files.createDirectories(link.resolveSibling("."));
          Files.deleteIfExists(link);
          Path from = link.resolveSibling(".").toRealPath();
          return Files.createSymbolicLink(link, from.relativize(target));
        });
  }

  private static void write(Path file, String text) {
    unchecked(
        () -> {
          Files.createDirectories(file.resolveSibling("."));
          return Files.writeString(file, text + "\n");
        });
  }

  private static Path unchecked(Callable<Path> work) {
    try {
      return work.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
