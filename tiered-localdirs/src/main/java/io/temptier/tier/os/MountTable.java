// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The mounts of this process, as the kernel lists them in {@code /proc/self/mountinfo}. */
public final class MountTable {
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-3][0-7]{2})");

  private final String text;
  private final List<Mount> mounts;

  private MountTable(String text, List<Mount> mounts) {
    this.text = text;
    this.mounts = mounts;
  }

  /** One mount. */
  @AutoValue
  public abstract static class Mount {
    /** The kernel's number of it. */
    public abstract int id();

    /** The number of the mount it lies on. */
    public abstract int parent();

    /** {@code major:minor} of its super block. */
    public abstract String device();

    /** Where it is mounted. */
    public abstract Path mountPoint();

    /** Type of its file system, such as {@code ext4}. */
    public abstract String fsType();

    /** What is mounted, such as {@code /dev/sda1}. */
    public abstract String source();

    /** Those of the mount and of the super block together. */
    public abstract List<String> options();

    public static Mount of(
        int id,
        int parent,
        String device,
        Path mountPoint,
        String fsType,
        String source,
        List<String> options) {
      options = Immutable.copyOf(options);
      return new AutoValue_MountTable_Mount(
          id, parent, device, mountPoint, fsType, source, options);
    }

    /** The value of an option such as {@code upperdir=/a}. */
    public Optional<String> option(String name) {
      String prefix = name + "=";
      return options().stream()
          .filter(option -> option.startsWith(prefix))
          .map(option -> option.substring(prefix.length()))
          .findFirst();
    }
  }

  /**
   * Reads a {@code mountinfo} file. Lines that do not look like it are passed over.
   *
   * @throws IOException when the file cannot be read
   */
  public static MountTable read(Path mountinfo) throws IOException {
    return read(mountinfo, null);
  }

  /** The same; {@code known} itself where nothing has changed since that was read. */
  public static MountTable read(Path mountinfo, @Nullable MountTable known) throws IOException {
    List<Mount> mounts = new ArrayList<>();
    // A char for each byte: the kernel escapes some, and a mount point may hold any other.
    String text = new String(Files.readAllBytes(mountinfo), StandardCharsets.ISO_8859_1);
    if (known != null && known.text.equals(text)) {
      return known;
    }
    // Not lines(): the kernel leaves a carriage return as it is.
    for (String line : text.split("\n", -1)) {
      parse(line).ifPresent(mounts::add);
    }
    return new MountTable(text, mounts);
  }

  /** Parses {@code 36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw,data=ordered}. */
  private static Optional<Mount> parse(String line) {
    List<String> fields = Arrays.asList(line.split(" ", -1));
    int dash = fields.indexOf("-");
    if (dash < 6 || fields.size() < dash + 3) {
      return Optional.empty();
    }
    try {
      String superOptions = fields.size() > dash + 3 ? fields.get(dash + 3) : "";
      return Optional.of(
          Mount.of(
              Integer.parseInt(fields.get(0)),
              Integer.parseInt(fields.get(1)),
              fields.get(2),
              Paths.get(unescape(fields.get(4))),
              unescape(fields.get(dash + 1)),
              unescape(fields.get(dash + 2)),
              Stream.of(fields.get(5), superOptions)
                  .flatMap(options -> Arrays.stream(options.split(",", -1)))
                  .map(MountTable::unescape)
                  .collect(Collectors.toList())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Puts back the bytes that the kernel wrote as octal digits, and reads all of them as UTF-8. */
  private static String unescape(String field) {
    String bytes =
        Strings.replaceAll(
            OCTAL.matcher(field),
            found -> String.valueOf((char) Integer.parseInt(found.group(1), 8)));
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /**
   * The mount that a path lies on: walked from the root as the kernel does, so that a mount hidden
   * below a later one is not taken for the path's.
   *
   * @param path absolute and free of symbolic links
   */
  public Optional<Mount> of(Path path) {
    Optional<Mount> root =
        mounts.stream()
            .filter(mount -> mount.mountPoint().equals(path.getRoot()))
            .filter(mount -> mounts.stream().noneMatch(other -> isBelow(mount, other)))
            .findFirst();
    if (!root.isPresent()) {
      return longestPrefix(path);
    }
    Mount current = root.get();
    for (int names = 0; names <= path.getNameCount(); names++) {
      Path prefix = names == 0 ? path.getRoot() : path.getRoot().resolve(path.subpath(0, names));
      Optional<Mount> next = mountedOn(current, prefix);
      while (next.isPresent()) {
        current = next.get();
        next = mountedOn(current, prefix);
      }
    }
    return Optional.of(current);
  }

  private static boolean isBelow(Mount mount, Mount other) {
    return mount.parent() == other.id() && mount.id() != other.id();
  }

  private Optional<Mount> mountedOn(Mount parent, Path point) {
    return mounts.stream()
        .filter(mount -> isBelow(mount, parent) && mount.mountPoint().equals(point))
        .findFirst();
  }

  /** Where the process cannot see its root mount, as in a chroot: the last of the deepest. */
  private Optional<Mount> longestPrefix(Path path) {
    return mounts.stream()
        .filter(mount -> path.startsWith(mount.mountPoint()))
        .reduce(
            (best, mount) ->
                mount.mountPoint().getNameCount() >= best.mountPoint().getNameCount()
                    ? mount
                    : best);
  }
}
