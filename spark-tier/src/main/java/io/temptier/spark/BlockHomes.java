// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.io.FilenameFilter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The homes of an executor: the folders that Spark made, one in each local dir. The shuffle service
 * and other executors know their paths, and look for a file in the home that the hash of its name
 * gives.
 *
 * <p>A file in another local dir lies in an <em>annex</em> of its home there, and has a link at
 * home. Safe for use by many threads.
 */
final class BlockHomes {
  private static final Logger LOG = LoggerFactory.getLogger(BlockHomes.class);

  static final class Home {
    final Path path;
    final LocalDir dir;

    private Home(Path path, LocalDir dir) {
      this.path = path;
      this.dir = dir;
    }

    String name() {
      return String.valueOf(path.getFileName());
    }
  }

  private final List<Home> homes = new ArrayList<>();
  private final Map<String, Home> byPath = new HashMap<>();
  private final Map<LocalDir, Path> parents = new LinkedHashMap<>();
  private final boolean othersRead;

  /** {@code dirOf}: the local dir of each home, in Spark's order. */
  BlockHomes(DiskBlockManager manager, List<LocalDir> dirOf) throws ReflectiveOperationException {
    File[] localDirs = manager.localDirs();
    for (int i = 0; i < localDirs.length; i++) {
      Home home = new Home(localDirs[i].toPath(), dirOf.get(i));
      homes.add(home);
      byPath.put(home.path.toString(), home);
      parents.putIfAbsent(home.dir, Objects.requireNonNull(home.path.getParent()));
    }
    othersRead = BlockManagerSeam.othersRead(manager);
  }

  boolean othersRead() {
    return othersRead;
  }

  /** The folder of this executor or application in each local dir that has a home. */
  Map<LocalDir, Path> parents() {
    return parents;
  }

  Set<String> names() {
    return homes.stream().map(Home::name).collect(Collectors.toSet());
  }

  /** The home that a file is named in, or null. */
  @Nullable Home of(File file) {
    File folder = file.getParentFile();
    String parent = folder == null ? null : folder.getParent();
    return parent == null ? null : byPath.get(parent);
  }

  /** The path of each home, and the local dir that it lies in. */
  Map<Path, LocalDir> dirs() {
    return homes.stream().collect(Immutable.toMap(home -> home.path, home -> home.dir));
  }

  /**
   * Share to which a dir may be filled with files that may lie elsewhere and do not move at once:
   * then there is still room for as much again from writers that go where the hash says.
   */
  double fillLimit() {
    Map<LocalDir, Long> counts =
        homes.stream().collect(Collectors.groupingBy(home -> home.dir, Collectors.counting()));
    long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return (double) homes.size() / (homes.size() + most);
  }

  LocalDir dir(String name) {
    return homes.get(Utils.nonNegativeHash(name) % homes.size()).dir;
  }

  boolean isAnnexed(Path file) {
    Path sub = file.getParent();
    Path annex = sub == null ? null : sub.getParent();
    return annex != null
        && BlockFolders.isAnnex(String.valueOf(annex.getFileName()))
        && parents.containsValue(annex.getParent());
  }

  private Path annex(Home home, LocalDir dir) {
    return Objects.requireNonNull(parents.get(dir)).resolve(BlockFolders.annex(home.name()));
  }

  /**
   * Prepares a dir for a file: a folder there, and a link at home if home is elsewhere.
   *
   * @return the path that its bytes go to
   * @throws Placer.PathRefusedException when this file cannot lie there, and others can
   * @throws IOException when the dir takes nothing
   */
  Path make(Home home, File file, LocalDir dir) throws IOException {
    Path name = file.toPath();
    Path sub = Objects.requireNonNull(name.getParent());
    if (dir.equals(home.dir)) {
      if (!Files.isWritable(sub)) {
        throw new IOException(sub + " cannot be written");
      }
      return name;
    }
    Path bytes = annexed(home, dir, String.valueOf(sub.getFileName())).resolve(file.getName());
    try {
      Files.createSymbolicLink(name, bytes);
      return bytes;
    } catch (IOException e) {
      throw new Placer.PathRefusedException(e);
    }
  }

  /** Makes a folder in an annex, unless it is there; throws where it cannot be written. */
  private Path annexed(Home home, LocalDir dir, String sub) throws IOException {
    Path annex = annex(home, dir);
    Path folder = annex.resolve(sub);
    if (Files.isWritable(folder)) {
      return folder;
    }
    for (Path missing : Immutable.listOf(annex, folder)) {
      try {
        Files.createDirectory(missing);
        if (othersRead) {
          like(missing, missing.equals(annex) ? home.path : home.path.resolve(sub));
        }
      } catch (FileAlreadyExistsException e) {
        if (!Files.isWritable(missing)) {
          throw e;
        }
        // By another thread, or by an earlier one.
      }
    }
    return folder;
  }

  private static void like(Path folder, Path model) throws IOException {
    Set<PosixFilePermission> wanted = Files.getPosixFilePermissions(model);
    // To set them takes the set-group-id bit away.
    if (!wanted.equals(Files.getPosixFilePermissions(folder))) {
      Files.setPosixFilePermissions(folder, wanted);
    }
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
    Path bytes = annexed(home, dir, sub).resolve(BlockFolders.unique(output.getName()));
    Files.createLink(bytes, file);
    Path link = file.resolveSibling(ColdBlocks.TEMPORARY_LINK + UUID.randomUUID());
    try {
      Files.createSymbolicLink(link, bytes);
      Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      link.toFile().delete();
      // It may be done and reported as failed.
      if (!TieredFile.bytesOf(file).equals(bytes)) {
        throw e;
      }
    }
  }

  /** Deletes files in annexes, as Spark does its own: those that a filter takes, or all. */
  void deleteAnnexed(@Nullable FilenameFilter filter) {
    for (Home home : homes) {
      for (LocalDir dir : parents.keySet()) {
        try {
          JavaUtils.deleteRecursively(annex(home, dir).toFile(), filter);
        } catch (Exception e) {
          // Spark 4.1 declares InterruptedException as well.
          if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
          }
          LOG.warn("Not all files of {} in {} are deleted: {}", home.path, dir, e.toString());
        }
      }
    }
  }
}
