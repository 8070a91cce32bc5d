// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.text.TextTable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Block devices as sysfs describes them. Whatever is stacked on others (partitions, LVM, RAID,
 * loops) is as slow as the slowest disk below it.
 *
 * <p>Names alone mislead: cloud volumes and NVMe over fabrics show as {@code nvme*} too, and are
 * behind a network; the table {@code disk-models.txt} and transport tell them apart.
 */
final class BlockDevices {
  /** Stacks are a handful of layers high; more means a loop of symbolic links. */
  private static final int MAX_DEPTH = 16;

  private static final Pattern ISCSI = Pattern.compile(".*/session\\d+/.*");
  private static final Set<String> NETWORK_TRANSPORTS = Immutable.setOf("tcp", "rdma", "fc");

  /** Word of the table for a virtual disk, whose medium depends on whether it rotates. */
  private static final String VIRTUAL = "VIRTUAL";

  /** Beginning of a model, medium, what it is; the longest beginning first. */
  private static final List<List<String>> MODELS =
      table("disk-models.txt", 4).stream()
          .sorted(Comparator.comparingInt(row -> -row.get(0).length()))
          .collect(Immutable.toList());

  private final Path sysRoot;
  private final Function<Path, KernelClassifier.Classification> files;

  /** Reads {@code sysRoot}; {@code files} classifies the file behind a loop device. */
  BlockDevices(Path sysRoot, Function<Path, KernelClassifier.Classification> files) {
    this.sysRoot = sysRoot;
    this.files = files;
  }

  /** A table beside this class. Without it, devices go by the kernel's names. */
  static List<List<String>> table(String name, int columns) {
    try {
      return TextTable.read(BlockDevices.class, name, columns);
    } catch (RuntimeException e) {
      return Immutable.listOf();
    }
  }

  @AutoValue
  abstract static class Found {
    /** The slowest below it. */
    abstract Medium medium();

    abstract Set<String> disks();

    abstract String why();

    static Found of(Medium medium, Set<String> disks, String why) {
      disks = Immutable.copyOf(disks);
      return new AutoValue_BlockDevices_Found(medium, disks, why);
    }

    /** The slowest of several, with the disks of all. */
    static Found slowest(String what, List<Found> members) {
      Found slowest = members.get(0);
      Set<String> disks = new TreeSet<>();
      for (Found member : members) {
        disks.addAll(member.disks());
        if (member.medium().compareTo(slowest.medium()) > 0) {
          slowest = member;
        }
      }
      String why = members.size() > 1 ? what + ", the slowest being " : what + ": ";
      return Found.of(slowest.medium(), disks, why + slowest.why());
    }
  }

  /** The device of a number such as {@code 259:1}; empty when sysfs does not know it. */
  Optional<Found> byNumber(String device) {
    return at(sysRoot.resolve("dev/block").resolve(device));
  }

  /**
   * The name of the device of a number such as {@code 8:1}: of a partition its disk's, here {@code
   * sda}, else its own, whatever it is stacked on; empty when sysfs does not know it.
   */
  Optional<String> nameOfNumber(String device) {
    try {
      Path dir = sysRoot.resolve("dev/block").resolve(device).toRealPath();
      Path parent = dir.getParent();
      Path disk = parent != null && Files.exists(dir.resolve("partition")) ? parent : dir;
      return Optional.of(String.valueOf(disk.getFileName()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The device of a path such as {@code /dev/sda1} or {@code /dev/mapper/vg-lv}; empty when sysfs
   * does not know it.
   */
  Optional<Found> byPath(String devPath) {
    return nameOf(devPath).flatMap(name -> at(sysRoot.resolve("class/block").resolve(name)));
  }

  /** All disks of the btrfs file system that has {@code devPath} as a member. */
  Optional<Found> btrfs(String devPath) {
    Optional<String> name = nameOf(devPath);
    if (!name.isPresent()) {
      return Optional.empty();
    }
    for (Path fileSystem : children(sysRoot.resolve("fs/btrfs"))) {
      Path devices = fileSystem.resolve("devices");
      if (Files.exists(devices.resolve(name.get()))) {
        List<Found> members = new ArrayList<>();
        children(devices).forEach(member -> at(member).ifPresent(members::add));
        if (!members.isEmpty()) {
          return Optional.of(Found.slowest("btrfs over " + names(children(devices)), members));
        }
      }
    }
    return byPath(devPath);
  }

  private Optional<String> nameOf(String devPath) {
    if (!devPath.startsWith("/dev/")) {
      return Optional.empty();
    }
    String name = devPath.substring("/dev/".length());
    if (name.startsWith("mapper/")) {
      String mapped = name.substring("mapper/".length());
      return children(sysRoot.resolve("class/block")).stream()
          .filter(dir -> mapped.equals(read(dir.resolve("dm/name"))))
          .map(dir -> dir.getFileName().toString())
          .findFirst();
    }
    return name.contains("..") ? Optional.empty() : Optional.of(name.replace('/', '!'));
  }

  private Optional<Found> at(Path link) {
    try {
      return Optional.of(describe(link.toRealPath(), 0));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Found describe(Path dir, int depth) throws IOException {
    String name = dir.getFileName().toString();
    if (depth > MAX_DEPTH) {
      return Found.of(Medium.DISK, Immutable.setOf(), name + " is stacked too deep");
    }
    Path parent = dir.getParent();
    if (parent != null && Files.exists(dir.resolve("partition"))) {
      Found disk = describe(parent, depth + 1);
      return Found.of(disk.medium(), disk.disks(), name + ", a partition: " + disk.why());
    }
    List<Path> slaves = children(dir.resolve("slaves"));
    if (!slaves.isEmpty()) {
      List<Found> members = new ArrayList<>();
      for (Path slave : slaves) {
        members.add(describe(slave.toRealPath(), depth + 1));
      }
      return Found.slowest(title(dir) + " over " + names(slaves), members);
    }
    String backing = read(dir.resolve("loop/backing_file"));
    if (!backing.isEmpty()) {
      return loop(name, backing);
    }
    return disk(dir, name);
  }

  private Found loop(String name, String backing) {
    Path file = Paths.get(backing);
    if (!Files.exists(file)) {
      String why = name + " loops over " + backing + ", which cannot be seen from here";
      return Found.of(Medium.DISK, Immutable.setOf(name), why);
    }
    KernelClassifier.Classification below = files.apply(file);
    return Found.of(
        below.medium(), below.disks(), name + " loops over " + backing + ": " + below.why());
  }

  private Found disk(Path dir, String name) {
    Set<String> disks = Immutable.setOf(name);
    if (name.startsWith("pmem")) {
      return Found.of(Medium.NVDIMM, disks, name + " is persistent memory");
    }
    Path device = dir.resolve("device");
    String model = read(device.resolve("model"));
    String whole = read(device.resolve("vendor")) + " " + model;
    Optional<List<String>> known =
        MODELS.stream()
            .filter(row -> beginsWith(model, row.get(0)) || beginsWith(whole, row.get(0)))
            .findFirst();
    String what = known.map(row -> row.get(2)).orElse("");
    if (known.isPresent() && !known.get().get(1).equals(VIRTUAL)) {
      Medium medium = Medium.valueOf(known.get().get(1));
      return Found.of(medium, disks, name + " is " + what + " (" + model + ")");
    }
    if (name.startsWith("nvme") && !known.isPresent()) {
      return nvme(device, name);
    }
    if (name.startsWith("rbd") || name.startsWith("nbd") || name.startsWith("drbd")) {
      return Found.of(Medium.REMOTE, disks, name + " is a network block device");
    }
    if (ISCSI.matcher(dir.toString()).matches()) {
      return Found.of(Medium.REMOTE, disks, name + " is an iSCSI disk");
    }
    if (name.matches("(z?ram|brd)\\d+")) {
      return Found.of(Medium.RAM_DISK, disks, name + " is memory");
    }
    if (name.matches("zd\\d+")) {
      return Found.of(Medium.DISK, disks, name + " is a ZFS volume, which hides its disks");
    }
    String description = name + (what.isEmpty() ? "" : ", " + what + ",");
    switch (read(dir.resolve("queue/rotational"))) {
      case "0":
        return Found.of(Medium.SSD, disks, description + " does not rotate (queue/rotational=0)");
      case "1":
        return Found.of(Medium.DISK, disks, description + " rotates (queue/rotational=1)");
      default:
        return Found.of(Medium.DISK, disks, description + " does not tell whether it rotates");
    }
  }

  private static boolean beginsWith(String text, String prefix) {
    return text.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  private Found nvme(Path device, String name) {
    Set<String> disks = Immutable.setOf(name);
    return Stream.concat(children(device).stream(), Stream.of(device))
        .map(controller -> read(controller.resolve("transport")))
        .filter(NETWORK_TRANSPORTS::contains)
        .findFirst()
        .map(
            transport ->
                Found.of(
                    Medium.REMOTE, disks, name + " is NVMe over a network (" + transport + ")"))
        .orElseGet(() -> Found.of(Medium.NVME, disks, name + " is an NVMe disk"));
  }

  /** A device's name, with the one an administrator gave it. */
  private static String title(Path dir) {
    String mapped = read(dir.resolve("dm/name"));
    String level = read(dir.resolve("md/level"));
    String more = mapped.isEmpty() ? level : mapped;
    return dir.getFileName() + (more.isEmpty() ? "" : " (" + more + ")");
  }

  private static String names(List<Path> paths) {
    return paths.stream()
        .map(path -> path.getFileName().toString())
        .collect(Collectors.joining(", "));
  }

  private static List<Path> children(Path dir) {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
      stream.forEach(children::add);
    } catch (IOException | DirectoryIteratorException e) {
      return Immutable.listOf();
    }
    children.sort(null);
    return children;
  }

  /** The first line of a file of sysfs, or nothing. */
  private static String read(Path file) {
    try {
      return Io.readString(file).trim();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }
}
