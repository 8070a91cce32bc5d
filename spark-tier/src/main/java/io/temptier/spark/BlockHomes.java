// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.io.FilenameFilter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.storage.DiskBlockManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The homes of an executor: the folders that Spark made, one in each local dir. The shuffle service
 * and other executors know their paths, and look for a file in the home that the hash of its name
 * gives.
 *
 * <p>A home on a slow disk becomes a link to a folder on a fast one while it is still empty. From
 * then on a file on the fast disk is a plain file there, which this executor opens without asking
 * the slow disk. A file elsewhere has a link at home.
 *
 * <p>When a fast disk takes no link any more, a home goes back to its own disk, as stock Spark
 * would go on with its other homes. Safe for use by many threads.
 */
class BlockHomes {
  private static final Logger LOG = LoggerFactory.getLogger(BlockHomes.class);

  static final class Home {
    /** Path that others know. */
    final Path registered;

    /** Dir of that path. */
    final LocalDir registeredDir;

    private final int index;

    /** Dir where it lies now; changes under the home's lock, threads without it read it once. */
    private volatile LocalDir dir;

    private Home(int index, Path registered, LocalDir registeredDir) {
      this.index = index;
      this.registered = registered;
      this.registeredDir = registeredDir;
      this.dir = registeredDir;
    }

    LocalDir dir() {
      return dir;
    }

    String name() {
      return String.valueOf(registered.getFileName());
    }
  }

  private final File[] localDirs;
  private final File[][] subDirs;
  private final Home[] homes;

  private final HomeFolders folders;
  private final Map<String, Home> byFolder = new ConcurrentHashMap<>();

  /**
   * The homes as Spark made them.
   *
   * @param dirOf the local dir of each, in Spark's order
   */
  BlockHomes(DiskBlockManager manager, List<LocalDir> dirOf) throws ReflectiveOperationException {
    localDirs = manager.localDirs();
    subDirs = BlockManagerSeam.subDirs(manager);
    homes = new Home[localDirs.length];
    Map<LocalDir, Path> parents = new LinkedHashMap<>();
    for (int i = 0; i < homes.length; i++) {
      Path registered = localDirs[i].toPath();
      homes[i] = new Home(i, registered, dirOf.get(i));
      byFolder.put(registered.toString(), homes[i]);
      parents.putIfAbsent(dirOf.get(i), Objects.requireNonNull(registered.getParent()));
    }
    folders = new HomeFolders(parents, BlockManagerSeam.othersRead(manager));
  }

  /** The folders in other dirs that hold files of these homes. */
  HomeFolders folders() {
    return folders;
  }

  Set<String> names() {
    return Arrays.stream(homes).map(Home::name).collect(Collectors.toSet());
  }

  /** The home that a file is named in, or null. */
  @Nullable Home of(File file) {
    File folder = file.getParentFile();
    String parent = folder == null ? null : folder.getParent();
    return parent == null ? null : byFolder.get(parent);
  }

  /** The path of each home now, and the local dir that it lies in. */
  Map<Path, LocalDir> now() {
    Map<Path, LocalDir> now = new LinkedHashMap<>();
    for (Home home : homes) {
      LocalDir dir = home.dir;
      now.put(folder(home, dir), dir);
    }
    return now;
  }

  /**
   * Share to which a dir may be filled with files that may lie elsewhere and do not move at once:
   * then there is still room for as much again from writers that go where the hash says.
   */
  double fillLimit() {
    long most = 0;
    for (Home home : homes) {
      LocalDir dir = home.dir;
      most = Math.max(most, Arrays.stream(homes).filter(other -> other.dir.equals(dir)).count());
    }
    return (double) homes.length / (homes.length + most);
  }

  /** Returns the folder of a home while it is in this dir. */
  private Path folder(Home home, LocalDir dir) {
    return dir.equals(home.registeredDir) ? home.registered : folders.annex(home.name(), dir);
  }

  LocalDir dir(int home) {
    return homes[home].dir();
  }

  /**
   * True if a home that is a link outlives its executor where the Worker of a cluster of Spark's
   * own cleans up after it: from 4.0 it takes a link to a folder for a file, and deletes it with
   * the way to all that its shuffle service serves.
   */
  boolean linksOutliveExecutors() {
    try {
      Path probe =
          Files.createTempDirectory(homes[0].registered.toAbsolutePath().getParent(), "temptier-");
      try {
        Path folder = Files.createDirectory(probe.resolve("folder"));
        Files.createFile(folder.resolve("shuffle_0_0_0.data"));
        Path link = Files.createSymbolicLink(probe.resolve("link"), folder);
        JavaUtils.deleteRecursively(link.toFile(), (dir, name) -> false);
        return Files.isSymbolicLink(link);
      } finally {
        JavaUtils.deleteRecursively(probe.toFile());
      }
    } catch (Exception e) {
      LOG.debug("Not known, so homes stay where they are", e);
      return false;
    }
  }

  /**
   * Moves each home that is not on one of these dirs there, if it is still empty.
   *
   * @return how many moved
   */
  int moveTo(List<LocalDir> fast) {
    int moved = 0;
    for (Home home : homes) {
      if (!fast.isEmpty() && !fast.contains(home.registeredDir)) {
        LocalDir dir = fast.get(home.index % fast.size());
        try {
          move(home, dir);
          moved++;
        } catch (IOException | RuntimeException e) {
          LOG.warn(
              "{} stays on {}, links there lead to {}: {}",
              home.registered,
              home.registeredDir,
              dir,
              e);
        }
      }
    }
    return moved;
  }

  private void move(Home home, LocalDir dir) throws IOException {
    Path annex = folders.annex(home.name(), dir);
    Files.createDirectory(annex);
    HomeFolders.like(annex, home.registered);
    try {
      // Fails when there is something already, which then is where it is looked for.
      Files.delete(home.registered);
    } catch (IOException e) {
      Files.delete(annex);
      throw e;
    }
    try {
      Files.createSymbolicLink(home.registered, annex);
    } catch (IOException | UnsupportedOperationException e) {
      Files.createDirectory(home.registered);
      HomeFolders.like(home.registered, annex);
      Files.delete(annex);
      throw new IOException("cannot link " + home.registered + " to " + annex, e);
    }
    byFolder.put(annex.toString(), home);
    home.dir = dir;
    localDirs[home.index] = annex.toFile();
  }

  /**
   * Prepares a dir for a file: a folder there, and a link at home if home is elsewhere.
   *
   * @param named told the name of the file now
   * @return the path that its bytes go to
   * @throws Placer.PathRefusedException when this file cannot lie there, and others can
   * @throws IOException when the dir takes nothing
   */
  Path make(Home home, File file, LocalDir dir, Consumer<Path> named) throws IOException {
    String sub = Objects.requireNonNull(file.getParentFile()).getName();
    LocalDir in = home.dir;
    Path place = folder(home, in);
    Path name = place.resolve(sub).resolve(file.getName());
    if (dir.equals(in)) {
      if (!Files.isWritable(Objects.requireNonNull(name.getParent()))) {
        throw new IOException(name.getParent() + " cannot be written");
      }
      named.accept(name);
      return name;
    }
    Path folder = folders.make(home.name(), dir, place, sub);
    Path bytes = folder.resolve(file.getName());
    try {
      Files.createSymbolicLink(name, bytes);
    } catch (FileAlreadyExistsException e) {
      throw new Placer.PathRefusedException(e);
    } catch (IOException e) {
      if (leave(home.index, e)) {
        return make(home, file, dir, named);
      }
      throw new Placer.PathRefusedException(e);
    }
    if (!in.equals(home.dir)) {
      // What was made before the home left, it takes with it.
      return make(home, file, dir, named);
    }
    if (Files.isSymbolicLink(bytes)) {
      // Of a home that could not go back to its own disk: it would lead to the name, and back.
      Files.delete(bytes);
    }
    named.accept(name);
    return bytes;
  }

  /**
   * Replaces a complete plain file by a link, before Spark renames it. The bytes stay on their disk
   * and can be reached at every instant.
   */
  void keep(Path file, LocalDir dir, Home home, File output) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    String sub = Objects.requireNonNull(output.getParentFile()).getName();
    Path folder = folders.make(home.name(), dir, folder(home, home.dir), sub);
    Path bytes = folder.resolve(BlockFolders.unique(output.getName()));
    Files.createLink(bytes, file);
    exchange(file, bytes);
  }

  /** Puts a link to {@code target} in the place of a file or link, in one step. */
  private static void exchange(Path file, Path target) throws IOException {
    Path link = file.resolveSibling(ColdBlocks.TEMPORARY_LINK + UUID.randomUUID());
    try {
      Files.createSymbolicLink(link, target);
      Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      link.toFile().delete();
      // It may be done and reported as failed.
      if (!TieredFile.bytesOf(file).equals(target)) {
        throw e;
      }
    }
  }

  /**
   * Brings a home back to its own disk if the fast one takes no link any more. Its files on the
   * fast disk stay reachable as far as they can be read.
   *
   * @param why what failed
   * @return whether it is on its own disk now, so that another try is worth it
   */
  boolean leave(int index, IOException why) {
    Home home = homes[index];
    synchronized (home) {
      Path from = folder(home, home.dir);
      if (from.equals(home.registered) || takesLinks(from)) {
        return false;
      }
      // A folder takes no link's place in one rename, another link does.
      Path fresh = folders.annex(home.name(), home.registeredDir);
      try {
        Files.createDirectories(fresh);
        folders.linkAll(from, fresh);
        exchange(home.registered, fresh);
      } catch (IOException e) {
        why.addSuppressed(e);
        LOG.warn("{} stays on {}: tasks that write there fail", home.registered, home.dir(), why);
        return false;
      }
      LOG.warn(
          "{} takes no files of Spark any more ({}); {} goes back to its own disk. What the fast"
              + " disk still reads stays in use; the rest is computed again.",
          home.dir(),
          why,
          home.registered);
      localDirs[index] = home.registered.toFile();
      synchronized (subDirs[index]) {
        // Spark makes them once more.
        Arrays.fill(subDirs[index], null);
      }
      home.dir = home.registeredDir;
      // What was written meanwhile.
      folders.linkAll(from, home.registered);
      return true;
    }
  }

  /** Tries whether a folder of a home takes a link. */
  boolean takesLinks(Path folder) {
    // As long a path as a file has takes a block of its own. What is left of it is used again.
    Path probe = folder.resolve(".temptier-probe");
    try {
      Files.deleteIfExists(probe);
      Files.createSymbolicLink(probe, folder.resolve("00").resolve(probe.getFileName()));
    } catch (IOException e) {
      return false;
    }
    boolean unused = probe.toFile().delete();
    return true;
  }

  /** Deletes all that is of these homes, as Spark does with what it made itself. */
  void delete() {
    for (Home home : homes) {
      try {
        if (Files.isSymbolicLink(home.registered)) {
          Files.delete(home.registered);
        }
      } catch (IOException e) {
        LOG.warn("{} is not deleted: {}", home.registered, e.toString());
      }
    }
    deleteAnnexed(null);
  }

  /**
   * Deletes files of these homes that lie in other dirs.
   *
   * @param filter by their names; null for all
   */
  void deleteAnnexed(@Nullable FilenameFilter filter) {
    for (Home home : homes) {
      for (LocalDir dir : folders.parents().keySet()) {
        try {
          JavaUtils.deleteRecursively(folders.annex(home.name(), dir).toFile(), filter);
        } catch (Exception e) {
          // Spark 4.1 declares InterruptedException as well.
          if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
          }
          LOG.warn("Not all files of {} in {} are deleted: {}", home.registered, dir, e.toString());
        }
      }
    }
  }
}
