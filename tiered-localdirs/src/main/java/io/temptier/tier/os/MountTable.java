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
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The mounts of this process, as the kernel lists them in {@code /proc/self/mountinfo}. */
public final class MountTable {
  /** An overlay on an overlay ... ends somewhere. */
  private static final int MAX_DEPTH = 8;

  static final Path SELF = Paths.get("/proc/self/mountinfo");
  private static final Set<String> OVERLAYS = Immutable.setOf("overlay", "overlayfs");
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-3][0-7]{2})");

  private final String text;
  private final List<Mount> mounts;

  private MountTable(String text, List<Mount> mounts) {
    this.text = text;
    this.mounts = mounts;
  }

  @AutoValue
  public abstract static class Mount {
    public abstract int id();

    /** The id of the mount it lies on. */
    public abstract int parent();

    /** {@code major:minor} of its super block. */
    public abstract String device();

    public abstract Path mountPoint();

    public abstract String fsType();

    /** Device or other source that is mounted, such as {@code /dev/sda1}. */
    public abstract String source();

    /** Options of the mount and of the super block together, as the kernel writes them. */
    abstract String optionList();

    /** Splits the options: few ask, and a node has many mounts. */
    public List<String> options() {
      return Arrays.stream(optionList().split(",", -1))
          .map(MountTable::unescape)
          .collect(Immutable.toList());
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

  /** Reads the mounts of this process; empty where the kernel does not tell. */
  public static Optional<MountTable> ofSelf() {
    try {
      return Optional.of(read(SELF));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Reads a {@code mountinfo} file. Lines that do not look like it are passed over. */
  public static MountTable read(Path mountinfo) throws IOException {
    return read(mountinfo, null);
  }

  /** Reads the table; returns {@code known} itself where nothing has changed since. */
  public static MountTable read(Path mountinfo, @Nullable MountTable known) throws IOException {
    List<Mount> mounts = new ArrayList<>();
    // A char for each byte: the kernel escapes some, and a mount point may hold any other.
    String text = new String(Files.readAllBytes(mountinfo), StandardCharsets.ISO_8859_1);
    if (known != null && known.text.equals(text)) {
      return known;
    }
    // Not lines(): the kernel leaves a carriage return as it is.
    for (String line : text.split("\n", -1)) {
      Mount mount = parse(line);
      if (mount != null) {
        mounts.add(mount);
      }
    }
    return new MountTable(text, mounts);
  }

  /** Parses {@code 36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw,data=ordered}. */
  private static @Nullable Mount parse(String line) {
    List<String> fields = Arrays.asList(line.split(" ", -1));
    int dash = fields.indexOf("-");
    if (dash < 6 || fields.size() < dash + 3) {
      return null;
    }
    try {
      String superOptions = fields.size() > dash + 3 ? fields.get(dash + 3) : "";
      return new AutoValue_MountTable_Mount(
          Integer.parseInt(fields.get(0)),
          Integer.parseInt(fields.get(1)),
          fields.get(2),
          Paths.get(unescape(fields.get(4))),
          unescape(fields.get(dash + 1)),
          unescape(fields.get(dash + 2)),
          fields.get(5) + "," + superOptions);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Puts back the bytes that the kernel wrote as octal digits, and reads all of them as UTF-8. */
  private static String unescape(String field) {
    String bytes =
        field.indexOf('\\') < 0
            ? field
            : Strings.replaceAll(
                OCTAL.matcher(field),
                found -> String.valueOf((char) Integer.parseInt(found.group(1), 8)));
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /**
   * The mount that a path, absolute and free of symbolic links, lies on: walked from the root as
   * the kernel does, so that a mount hidden below a later one is not taken for the path's.
   */
  public Optional<Mount> of(Path path) {
    Mount current = root(path.getRoot());
    if (current == null) {
      return longestPrefix(path);
    }
    for (int names = 0; names <= path.getNameCount(); names++) {
      Path prefix = names == 0 ? path.getRoot() : path.getRoot().resolve(path.subpath(0, names));
      for (Mount mount = current; mount != null; mount = mountedOn(current, prefix)) {
        current = mount;
      }
    }
    return Optional.of(current);
  }

  /** The mount that a path really lies on: for an overlay that of its upper folder. */
  public Optional<Mount> below(Path real) {
    Optional<Mount> mount = of(real);
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      if (!mount.isPresent() || !OVERLAYS.contains(mount.get().fsType())) {
        return mount;
      }
      mount = mount.get().option("upperdir").flatMap(upper -> of(Paths.get(upper)));
    }
    return Optional.empty();
  }

  private static boolean isBelow(Mount mount, Mount other) {
    return mount.parent() == other.id() && mount.id() != other.id();
  }

  /** The one at the root of all paths that lies on no other. */
  private @Nullable Mount root(@Nullable Path root) {
    for (Mount mount : mounts) {
      if (mount.mountPoint().equals(root) && !isBelowAny(mount)) {
        return mount;
      }
    }
    return null;
  }

  private boolean isBelowAny(Mount mount) {
    for (Mount other : mounts) {
      if (isBelow(mount, other)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Mount mountedOn(Mount parent, Path point) {
    for (Mount mount : mounts) {
      if (isBelow(mount, parent) && mount.mountPoint().equals(point)) {
        return mount;
      }
    }
    return null;
  }

  /** Finds the mount where the root mount is hidden, as in a chroot: the last of the deepest. */
  private Optional<Mount> longestPrefix(Path path) {
    return mounts.stream()
        .filter(mount -> path.startsWith(mount.mountPoint()))
        .reduce((a, b) -> a.mountPoint().getNameCount() > b.mountPoint().getNameCount() ? a : b);
  }
}
