// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.thread.TimedCalls;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.room.DirView;
import io.temptier.tier.settings.NodeTiers;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dirs of one value of a local-dirs property, each matched with its root in the node's tiers.
 * In the NodeManager a dir is its root; in a task it is {@code
 * root/usercache/USER/appcache/APPLICATION}.
 */
final class TieredDirs {
  private static final Logger LOG = LoggerFactory.getLogger(TieredDirs.class);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private static final AtomicLong NEXT = new AtomicLong();

  /** A sound dir answers in microseconds; a thread may wait that long for a core. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final TimedCalls TOUCHES = new TimedCalls("TempTier note of dirs", 1);

  private final String listed;
  private final @Nullable Placer placer;
  private final DiskValidator validator;
  private final Map<LocalDir, org.apache.hadoop.fs.Path> dirOfRoot;
  private final List<org.apache.hadoop.fs.Path> fastFirst;
  private final Retries retries;

  private TieredDirs(
      String listed,
      @Nullable Placer placer,
      DiskValidator validator,
      Map<LocalDir, org.apache.hadoop.fs.Path> dirOfRoot) {
    this.listed = listed;
    this.placer = placer;
    this.validator = validator;
    this.dirOfRoot = dirOfRoot;
    this.fastFirst = Immutable.listFrom(dirOfRoot.values());
    this.retries = new Retries(dirOfRoot);
  }

  /** Dirs that stock is to serve. */
  static TieredDirs stock(String listed, DiskValidator validator) {
    return new TieredDirs(listed, null, validator, Immutable.mapOf());
  }

  /**
   * Matches the listed dirs with the node's tiers: those given, or else those of a task.
   *
   * @throws IOException when stock could not use the list either
   */
  static TieredDirs of(
      String listed,
      @Nullable NodeTiers fixed,
      TaskTiers taskTiers,
      Configuration conf,
      DiskValidator validator,
      PlacementListener listener)
      throws IOException {
    Map<Path, org.apache.hadoop.fs.Path> dirs = new LinkedHashMap<>();
    FileSystem local = FileSystem.getLocal(conf);
    for (String dir : StringUtils.getTrimmedStrings(listed)) {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(dir);
      File file = path.isAbsolute() ? new File(local.makeQualified(path).toUri()) : new File(dir);
      Path absolute = file.toPath().toAbsolutePath().normalize();
      dirs.putIfAbsent(absolute, new org.apache.hadoop.fs.Path(file.getPath()));
    }
    Optional<NodeTiers> tiers =
        fixed == null ? taskTiers.of(Immutable.listFrom(dirs.keySet()), conf) : Optional.of(fixed);
    if (!tiers.isPresent()) {
      return stock(listed, validator);
    }
    // By the paths alone: a dir may hang.
    Map<Path, org.apache.hadoop.fs.Path> dirOfRoot = new LinkedHashMap<>();
    TierLayout node = tiers.get().layout();
    for (Map.Entry<Path, org.apache.hadoop.fs.Path> dir : dirs.entrySet()) {
      LocalDir root = fixed == null ? node.dirOf(dir.getKey()).orElse(null) : null;
      // Two dirs of one root cannot be told apart by their tier; the first stands for both.
      dirOfRoot.putIfAbsent(root == null ? dir.getKey() : root.path(), dir.getValue());
    }
    TierLayout layout = node.restrictedTo(dir -> dirOfRoot.containsKey(dir.path()));
    Map<LocalDir, org.apache.hadoop.fs.Path> matched = new LinkedHashMap<>();
    for (LocalDir dir : layout.dirs()) {
      matched.put(dir, Objects.requireNonNull(dirOfRoot.get(dir.path())));
    }
    if (matched.size() < dirOfRoot.size()) {
      LOG.warn(
          "Local dirs {} are not all in the node's tiers {}; stock Hadoop places their files. Was"
              + " the NodeManager restarted with other local dirs?",
          dirOfRoot.keySet(),
          tiers.get().layout().dirs());
      return stock(listed, validator);
    }
    if (fixed == null) {
      Map<LocalDir, Path> paths = new LinkedHashMap<>();
      for (Map.Entry<LocalDir, org.apache.hadoop.fs.Path> dir : matched.entrySet()) {
        paths.put(dir.getKey(), Paths.get(dir.getValue().toUri().getPath()));
      }
      TaskJournal.begin(paths);
    }
    Placer placer = new Placer(tiers.get().over(layout), listener);
    return new TieredDirs(listed, placer, validator, matched);
  }

  /** Whether these are the dirs of that list. */
  boolean serves(String otherListed) {
    return listed.equals(otherListed);
  }

  /** False when stock is to do it. */
  boolean active() {
    return placer != null;
  }

  /**
   * The path for a file, in a dir where it can be written; empty when none takes it.
   *
   * @param earlier attempts at it that failed before
   */
  Optional<org.apache.hadoop.fs.Path> place(
      String path, long size, EarlierFailures earlier, boolean checkWrite) {
    Placer active = Objects.requireNonNull(placer);
    int failures = earlier.before(path);
    PlacementRequest request =
        active.cautious(
            active
                .request(path, size, application(path), failures)
                .within(active.tiers().settings().limits(), path, listed));
    String name = request.kind() == FileKind.UPLOAD_BUFFER ? path + distinct() : path;
    Optional<Placer.Placed> placed =
        active.place(
            request,
            failures == 0 ? Immutable.setOf() : retries.failedIn(path, failures, earlier, active),
            in -> {
              Path file = Paths.get(checked(in, name, checkWrite).toUri().getPath());
              if (failures > 0) {
                retries.prove(in, file, request.bytes());
              }
              return file;
            });
    if (!placed.isPresent()) {
      return Optional.empty();
    }
    LocalDir dir = placed.get().placement().dir();
    if (request.kind().isFolder()) {
      earlier.placed(path, dir);
    }
    return Optional.of(file(dir, name));
  }

  /**
   * S3A makes a temporary file whose name begins with the one it asks for, and asks for one name
   * again and again. Each file is followed by a name of its own.
   */
  private static String distinct() {
    return Long.toString(NEXT.incrementAndGet(), Character.MAX_RADIX) + "-";
  }

  private org.apache.hadoop.fs.Path checked(LocalDir dir, String path, boolean checkWrite)
      throws IOException {
    org.apache.hadoop.fs.Path file = file(dir, path);
    if (checkWrite) {
      try {
        validator.checkStatus(new File(file.getParent().toUri().getPath()));
      } catch (DiskErrorException e) {
        throw refused(dir, e);
      }
    }
    return file;
  }

  private org.apache.hadoop.fs.Path file(LocalDir dir, String path) {
    return new org.apache.hadoop.fs.Path(Objects.requireNonNull(dirOfRoot.get(dir)), path);
  }

  /** Throws when the dir itself is at fault. If not, one odd path must not cost everybody it. */
  private Placer.PathRefusedException refused(LocalDir dir, IOException e)
      throws DiskErrorException {
    org.apache.hadoop.fs.Path root = Objects.requireNonNull(dirOfRoot.get(dir));
    validator.checkStatus(new File(root.toUri().getPath()));
    return new Placer.PathRefusedException(e);
  }

  private @Nullable String application(String path) {
    Matcher inPath = APPLICATION.matcher(path);
    if (inPath.find()) {
      return inPath.group();
    }
    Matcher inDirs = APPLICATION.matcher(listed);
    return inDirs.find() ? inDirs.group() : null;
  }

  /** Does what touches every dir, unless one hangs; false when it is not done soon. */
  boolean touchAll(Runnable work) {
    if (anyHangs()) {
      return false;
    }
    try {
      return TOUCHES.callThrough(listed, PATIENCE, Executors.callable(work, true));
    } catch (IOException e) {
      // One dir does not answer, or there is no thread to spare.
      return false;
    }
  }

  /**
   * The dirs among which stock is to choose where this has no answer; empty when it may use all.
   *
   * @param write whether the dir of a new file
   */
  Optional<String> forStock(boolean write) {
    Placer active = placer;
    if (active == null) {
      return Optional.empty();
    }
    List<String> usable = new ArrayList<>();
    dirOfRoot.forEach(
        (root, dir) -> {
          if (!active.hangs(root) && !(write && root.capBytes() == 0)) {
            usable.add(dir.toString());
          }
        });
    boolean some = !usable.isEmpty() && usable.size() < dirOfRoot.size();
    return some ? Optional.of(String.join(",", usable)) : Optional.empty();
  }

  private boolean anyHangs() {
    Placer active = placer;
    if (active != null) {
      for (LocalDir dir : dirOfRoot.keySet()) {
        if (active.hangs(dir)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The file in the fastest dir that has it; null when none has. */
  org.apache.hadoop.fs.@Nullable Path find(String path) {
    for (org.apache.hadoop.fs.Path dir : lookedThrough(path)) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(dir, path);
      if (exists(file)) {
        return file;
      }
    }
    return null;
  }

  private static boolean exists(org.apache.hadoop.fs.Path file) {
    return new File(file.toUri().getPath()).exists();
  }

  /**
   * The file in every dir that has it, fastest first; as in stock, to be iterated over once. A dir
   * is looked at when the caller asks for more, and no sooner: it may hang.
   */
  Iterable<org.apache.hadoop.fs.Path> findAll(String path) {
    Iterator<org.apache.hadoop.fs.Path> files =
        lookedThrough(path).stream()
            .map(dir -> new org.apache.hadoop.fs.Path(dir, path))
            .filter(TieredDirs::exists)
            .iterator();
    return () -> files;
  }

  /**
   * Where to look for a file. Dirs that hang come last, and are waited for as in stock Hadoop,
   * where the file may be there and nowhere else. A work dir that is not found is made anew.
   */
  private List<org.apache.hadoop.fs.Path> lookedThrough(String path) {
    Placer active = placer;
    if (active == null || !anyHangs()) {
      return fastFirst;
    }
    List<org.apache.hadoop.fs.Path> dirs = new ArrayList<>();
    List<org.apache.hadoop.fs.Path> last = new ArrayList<>();
    dirOfRoot.forEach((root, dir) -> (active.hangs(root) ? last : dirs).add(dir));
    if (FileKind.of(path) != FileKind.WORK_DIR) {
      dirs.addAll(last);
    }
    return dirs;
  }

  void settle(Path file) {
    if (placer != null) {
      placer.settle(file);
    }
  }

  void settleAll() {
    if (placer != null) {
      placer.settleAll(null);
    }
  }

  List<DirView> view() {
    return placer == null ? Immutable.listOf() : placer.view();
  }

  /**
   * Whether no file is being written here. What is idle holds nothing, not even a thread for long,
   * and may be forgotten; whoever still has it may go on using it.
   */
  boolean idle() {
    return placer == null || placer.writing() == 0;
  }

  /** Releases every claim. */
  void close() {
    if (placer != null) {
      placer.close();
    }
  }
}
