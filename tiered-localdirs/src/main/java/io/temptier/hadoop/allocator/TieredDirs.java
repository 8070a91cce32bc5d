// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementRequest;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.jspecify.annotations.Nullable;

/**
 * The dirs of one value of a local-dirs property, each matched with its root in the node's tiers.
 * In the NodeManager a dir is its root; in a task it is {@code
 * root/usercache/USER/appcache/APPLICATION}.
 */
final class TieredDirs {
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private static final AtomicLong NEXT = new AtomicLong();

  private final String listed;
  private final Placer placer;
  private final DiskValidator validator;

  /** Fastest first. */
  private final Map<LocalDir, Path> dirOfRoot;

  TieredDirs(String listed, Placer placer, DiskValidator validator, Map<LocalDir, Path> dirOfRoot) {
    this.listed = listed;
    this.placer = placer;
    this.validator = validator;
    this.dirOfRoot = dirOfRoot;
  }

  Placer placer() {
    return placer;
  }

  /** The path for a file, in a dir where it can be written; null when none takes it. */
  @Nullable Path place(String path, long size, EarlierFailures earlier, boolean checkWrite) {
    int failures = earlier.before(path);
    PlacementRequest request =
        placer.cautious(
            placer
                .request(path, size, application(path), failures)
                .within(placer.tiers().settings().limits(), path, listed));
    String name = request.kind() == FileKind.UPLOAD_BUFFER ? path + distinct() : path;
    Set<LocalDir> failedIn =
        failures == 0 ? Immutable.setOf() : earlier.failedIn(path, failures, dirOfRoot, placer);
    Placer.Placed placed =
        placer.place(request, failedIn, in -> checked(in, name, checkWrite)).orElse(null);
    if (placed == null) {
      return null;
    }
    LocalDir dir = placed.placement().dir();
    if (request.kind().isFolder()) {
      earlier.placed(path, dir);
    }
    return file(dir, name);
  }

  /**
   * S3A makes a temporary file whose name begins with the one it asks for, and asks for one name
   * again and again. Each file is followed by a name of its own.
   */
  private static String distinct() {
    return Long.toString(NEXT.incrementAndGet(), Character.MAX_RADIX) + "-";
  }

  private java.nio.file.Path checked(LocalDir dir, String path, boolean checkWrite)
      throws IOException {
    Path file = file(dir, path);
    File folder = local(Objects.requireNonNull(dirOfRoot.get(dir)));
    try {
      // Makes what it checks where that is missing, as stock does.
      validator.checkStatus(checkWrite ? local(file.getParent()) : folder);
    } catch (DiskErrorException e) {
      // Throws when the dir itself is at fault. If not, one odd path must not cost everybody it.
      validator.checkStatus(folder);
      throw new Placer.PathRefusedException(e);
    }
    return local(file).toPath();
  }

  private Path file(LocalDir dir, String path) {
    return new Path(Objects.requireNonNull(dirOfRoot.get(dir)), path);
  }

  private static File local(Path path) {
    return new File(path.toUri().getPath());
  }

  private @Nullable String application(String path) {
    Matcher inPath = APPLICATION.matcher(path);
    if (inPath.find()) {
      return inPath.group();
    }
    Matcher inDirs = APPLICATION.matcher(listed);
    return inDirs.find() ? inDirs.group() : null;
  }

  /** The dirs among which stock is to choose, for a new file or for a look; null for all. */
  @Nullable String forStock(boolean write) {
    List<String> usable = new ArrayList<>();
    dirOfRoot.forEach(
        (root, dir) -> {
          if (!placer.hangs(root) && !(write && root.capBytes() == 0)) {
            usable.add(dir.toString());
          }
        });
    boolean partial = !usable.isEmpty() && usable.size() < dirOfRoot.size();
    return partial ? String.join(",", usable) : null;
  }

  /** The file in the fastest dir that has it; null when none has. */
  @Nullable Path find(String path) {
    for (Path dir : searchOrder(path)) {
      Path file = new Path(dir, path);
      if (local(file).exists()) {
        return file;
      }
    }
    return null;
  }

  /**
   * The file in every dir that has it, fastest first; as in stock, to be iterated over once. A dir
   * is looked at when the caller asks for more, and no sooner: it may hang.
   */
  Iterable<Path> findAll(String path) {
    Iterator<Path> files =
        searchOrder(path).stream()
            .map(dir -> new Path(dir, path))
            .filter(file -> local(file).exists())
            .iterator();
    return () -> files;
  }

  /**
   * Returns the dirs to search for a file. Dirs that hang come last, and are waited for as in stock
   * Hadoop, where the file may be there and nowhere else. A work dir that is not found is made
   * anew.
   */
  private List<Path> searchOrder(String path) {
    List<Path> dirs = new ArrayList<>();
    List<Path> last = new ArrayList<>();
    for (Map.Entry<LocalDir, Path> dir : dirOfRoot.entrySet()) {
      (placer.hangs(dir.getKey()) ? last : dirs).add(dir.getValue());
    }
    if (!last.isEmpty() && FileKind.of(path) != FileKind.WORK_DIR) {
      dirs.addAll(last);
    }
    return dirs;
  }
}
