// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the files of Spark that nobody can find any more. A file that did not fit on its home's
 * disk lies elsewhere, and a link at home leads to it. Spark's shuffle service, which cleans up
 * after executors that are gone, deletes the link only ({@code
 * spark.shuffle.service.removeShuffle}).
 *
 * <p>A file goes when no link of its application led to it in two rounds, it has no other name, and
 * it was not written to for {@link #AGE}: links are made before what they lead to, so nothing that
 * an executor still writes is without one. So do the links of temporary names that a move left.
 * Nothing goes while a dir or a home of it is missing: its links are with a disk that was taken
 * away, or is lost for a while. Only in folders of this process's user, to which no link leads;
 * under the Linux container executor files are their users', and stay until the application ends.
 *
 * <p>For one thread, which a disk that hangs stops; the application's end deletes all of it.
 */
final class BlockOrphans {
  /** Age below which a file that was written to is left alone. */
  static final Duration AGE = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(BlockOrphans.class);

  private final TierLayout layout;
  private final Supplier<Map<String, String>> users;
  private final int ownUid;
  private final LongSupplier clockMillis;
  private final Runnable deleted;
  private Set<Path> suspects = Immutable.setOf();

  /** {@code users} by running application; {@code deleted} is run for each file deleted. */
  BlockOrphans(
      TierLayout layout,
      Supplier<Map<String, String>> users,
      int ownUid,
      LongSupplier clockMillis,
      Runnable deleted) {
    this.layout = layout;
    this.users = users;
    this.ownUid = ownUid;
    this.clockMillis = clockMillis;
    this.deleted = deleted;
  }

  void round() {
    Set<Path> found = new HashSet<>();
    SparkUpkeep.each(users.get(), (application, folder) -> look(folder, found));
    suspects = found;
  }

  private void look(Path application, Set<Path> found) throws IOException {
    if (!canHave(application)) {
      return;
    }
    List<Path> orphans = new Application(application).orphans();
    found.addAll(orphans);
    for (Path orphan : orphans) {
      if (suspects.contains(orphan) && delete(orphan)) {
        deleted.run();
        LOG.info("Deleted {}, which no file of its application leads to any more", orphan);
      }
    }
  }

  /** True if there can be orphans: most applications are not worth a walk through their files. */
  private boolean canHave(Path application) throws IOException {
    for (LocalDir dir : layout.dirs()) {
      try (@Nullable OwnFolder folder =
          OwnFolder.open(dir.path(), application, ownUid).orElse(null)) {
        // A power cut may leave the link of a move whose folder below it took.
        if (folder != null
            && folder.names("").stream()
                .anyMatch(
                    name -> BlockFolders.isAnnex(name) || name.startsWith(ColdBlocks.SHARED))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean delete(Path file) throws IOException {
    Path root = layout.dirOf(file).get().path();
    Path folder = root.relativize(Objects.requireNonNull(file.getParent()));
    try (@Nullable OwnFolder files = OwnFolder.open(root, folder, ownUid).orElse(null)) {
      return files != null && files.deleteFile(String.valueOf(file.getFileName()));
    }
  }

  private boolean old(Path file) throws IOException {
    Optional<FileStamp> stamp = FileStamp.find(file);
    return stamp.isPresent()
        && !stamp.get().directory()
        && stamp.get().links() == 1
        && clockMillis.getAsLong() - stamp.get().modified().toMillis() > AGE.toMillis();
  }

  /** Returns the key of the file that a name leads to, links followed; null when there is none. */
  private static @Nullable Object key(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static List<String> names(OwnFolder folder) throws IOException {
    List<String> names = folder.names("");
    if (names.size() >= OwnFolder.MOST_NAMES) {
      throw new IOException(folder.path() + " has too many files to know all its links");
    }
    return names;
  }

  private static @Nullable OwnFolder child(OwnFolder folder, String name) throws IOException {
    Optional<OwnFolder> child = folder.child(name);
    if (!child.isPresent()
        && FileStamp.find(folder.path().resolve(name)).filter(FileStamp::directory).isPresent()) {
      throw new IOException(folder.path().resolve(name) + " cannot be read, or may be exchanged");
    }
    return child.orElse(null);
  }

  /**
   * Files of a Spark application in its homes, and in their folders in other dirs. Files are told
   * apart by what they are, not by how a path to them is written. What cannot be read to its end is
   * no ground to delete anything.
   */
  private final class Application {
    /** Names of all homes, and of those that have a folder in another dir. */
    private final Set<String> names = new HashSet<>();

    private final Set<String> needed = new HashSet<>();

    /** Files that links lead to. */
    private final Set<Object> targets = new HashSet<>();

    /** Old files in folders of homes in other dirs. */
    private final List<Path> annexed = new ArrayList<>();

    /** Old links of temporary names, in any of them. */
    private final List<Path> begun = new ArrayList<>();

    Application(Path application) throws IOException {
      for (LocalDir dir : layout.dirs()) {
        read(dir, application);
      }
    }

    private void read(LocalDir dir, Path application) throws IOException {
      try (@Nullable OwnFolder folder =
          OwnFolder.open(dir.path(), application, ownUid).orElse(null)) {
        if (folder == null) {
          throw new IOException(dir + " has no folder of " + application);
        }
        for (String name : names(folder)) {
          Path path = folder.path().resolve(name);
          boolean annex = BlockFolders.isAnnex(name);
          if (annex) {
            needed.add(BlockFolders.homeOf(name));
          } else if (name.startsWith(BlockFolders.HOME) && !Files.isSymbolicLink(path)) {
            names.add(name);
          } else {
            continue;
          }
          try (@Nullable OwnFolder home = child(folder, name)) {
            readHome(home, annex);
          }
        }
      }
    }

    private void readHome(@Nullable OwnFolder home, boolean annex) throws IOException {
      if (home == null) {
        return;
      }
      for (String sub : names(home)) {
        try (@Nullable OwnFolder files = child(home, sub)) {
          if (files == null) {
            continue;
          }
          for (String name : names(files)) {
            Path file = files.path().resolve(name);
            // That of a move leads nobody anywhere.
            boolean temporary = name.startsWith(ColdBlocks.TEMPORARY_LINK);
            if (!temporary && Files.isSymbolicLink(file)) {
              targets.add(key(file));
            }
            if (temporary && old(file)) {
              begun.add(file);
            } else if (annex && old(file)) {
              annexed.add(file);
            }
          }
        }
      }
    }

    /** Old files that no link leads to, and old links of temporary names. */
    List<Path> orphans() throws IOException {
      needed.removeAll(names);
      if (!needed.isEmpty()) {
        throw new IOException("these homes are not here: " + needed);
      }
      List<Path> orphans = new ArrayList<>(begun);
      for (Path file : annexed) {
        if (!targets.contains(key(file))) {
          orphans.add(file);
        }
      }
      return orphans;
    }
  }
}
