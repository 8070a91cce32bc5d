// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.placer.Listeners;
import io.temptier.tier.placer.Placer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.BasicDiskValidator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local dirs that one configuration key lists, as TempTier chooses among them: a file is
 * written to the fastest tier with room, and found in any dir, fast ones first.
 *
 * <p>Where it cannot place a file it leaves that to stock: with no dir left stock's exception is
 * the one a caller knows, and on any doubt of its own (a marker that cannot be read, an unexpected
 * failure) stock's placement is the one a job survives. The doubt is logged once and counted.
 *
 * <p>Unlike stock it keeps no list of dirs that once failed: a dir that vanished, was emptied, went
 * read-only or came back is tried again (HADOOP-18636, HADOOP-19554, HADOOP-19387).
 *
 * <p>The state behind it is shared by all of one configuration key in one JVM, for each value of
 * the key. Safe for use by many threads.
 */
public class TieredLocalDirs implements LocalDirSeam.Chooser {
  private static final Logger LOG = LoggerFactory.getLogger(TieredLocalDirs.class);

  /** Bound on lists of dirs that are remembered; one JVM rarely sees more than a list a task. */
  private static final int MOST_CONTEXTS = 64;

  /** {@code TierKey.ENABLED}, which a task's JVM does not load with all other keys for this. */
  private static final String ENABLED = "temptier.enabled";

  /** The dirs of one list, resolved by the first to need them. */
  private static final class Context {
    final String listed;
    private volatile boolean resolved;

    /** Null where stock serves them. */
    private volatile @Nullable TieredDirs dirs;

    Context(String listed) {
      this.listed = listed;
    }

    /** Resolves under a lock of this list alone: another list's dirs may hang. */
    synchronized void resolve(TieredLocalDirs seam, Configuration conf) {
      if (!resolved) {
        try {
          dirs = seam.resolve(listed, conf);
        } catch (IOException | RuntimeException e) {
          fellBack("resolving " + seam.contextKey + "=" + listed, e);
        }
        resolved = true;
      }
    }

    /** True if nothing is being written: such a list may be forgotten, even if still used. */
    boolean idle() {
      if (!resolved) {
        return false;
      }
      TieredDirs now = dirs;
      return now == null || now.placer().writing() == 0;
    }
  }

  /** Contexts by the key, the dirs listed and, in the NodeManager, their tiers. */
  private static final ConcurrentMap<List<@Nullable Object>, Context> CONTEXTS =
      new ConcurrentHashMap<>();

  /** Hear of every placement of this JVM. */
  public static final Listeners LISTENERS = new Listeners();

  private static final AtomicLong FALLBACKS = new AtomicLong();

  private final String contextKey;
  private final DiskValidator validator;
  private final @Nullable NodeTiers fixed;
  private final EarlierFailures failures = new EarlierFailures();
  private volatile @Nullable Context latest;

  /** The dirs of a container that a property lists, in the tiers that the node's marker tells. */
  public TieredLocalDirs(String contextKey) {
    this(contextKey, basicValidator(), null);
  }

  /**
   * The NodeManager's dirs.
   *
   * @param validator the check that a dir must pass before a file is placed there
   * @param fixed the tiers they are in; null for those of a container
   */
  public TieredLocalDirs(String contextKey, DiskValidator validator, @Nullable NodeTiers fixed) {
    this.contextKey = contextKey;
    this.validator = validator;
    this.fixed = fixed;
  }

  /** Counts how often this JVM asked stock because of a doubt, since the start. */
  public static long fallbacks() {
    return FALLBACKS.get();
  }

  @Override
  public @Nullable Path forWrite(String path, long size, Configuration conf, boolean checkWrite) {
    TieredDirs dirs = dirs(conf);
    if (dirs == null) {
      return null;
    }
    try {
      return dirs.place(relative(path), size, failures, checkWrite);
    } catch (RuntimeException e) {
      fellBack("placing " + path, e);
      return null;
    }
  }

  @Override
  public @Nullable Path toRead(String path, Configuration conf) {
    TieredDirs dirs = dirs(conf);
    Path found = dirs == null ? null : dirs.find(relative(path));
    if (dirs != null && found != null) {
      dirs.placer().settle(Paths.get(found.toUri().getPath()));
    }
    return found;
  }

  @Override
  public @Nullable Iterable<Path> allToRead(String path, Configuration conf) {
    TieredDirs dirs = dirs(conf);
    return dirs == null ? null : dirs.findAll(relative(path));
  }

  @Override
  public Configuration forStock(Configuration conf, boolean write) {
    TieredDirs dirs = dirs(conf);
    String others = dirs == null ? null : dirs.forStock(write);
    if (others == null) {
      return conf;
    }
    Configuration without = new Configuration(conf);
    without.set(contextKey, others);
    return without;
  }

  /**
   * Says that a file in the dirs used last is complete: its real size is counted, and what was
   * claimed for it is released. Looking a file up for reading says so too.
   */
  public void settled(java.nio.file.Path file) {
    Context used = latest;
    TieredDirs dirs = used == null ? null : used.dirs;
    if (dirs != null) {
      dirs.placer().settle(file);
    }
  }

  static void settleEverything() {
    eachPlacer(placer -> placer.settleAll(null));
  }

  private static void eachPlacer(Consumer<Placer> action) {
    for (Context context : CONTEXTS.values()) {
      TieredDirs dirs = context.dirs;
      if (dirs != null) {
        action.accept(dirs.placer());
      }
    }
  }

  /** The containers that failed, where these are the NodeManager's dirs. */
  public EarlierFailures failures() {
    return failures;
  }

  /** The dirs that the configuration lists now; null when stock is to do it. */
  private @Nullable TieredDirs dirs(Configuration conf) {
    String listed = conf.get(contextKey);
    if (listed == null) {
      return null;
    }
    Context context = latest;
    if (context == null || !context.listed.equals(listed)) {
      context = context(listed);
      context.resolve(this, conf);
      latest = context;
    }
    return context.dirs;
  }

  private Context context(String listed) {
    if (CONTEXTS.size() >= MOST_CONTEXTS) {
      CONTEXTS.values().removeIf(Context::idle);
    }
    Context made = new Context(listed);
    Context there =
        CONTEXTS.putIfAbsent(Arrays.<@Nullable Object>asList(contextKey, listed, fixed), made);
    return there == null ? made : there;
  }

  /**
   * Matches the dirs of a list with the node's tiers; null when stock is to serve them.
   *
   * @throws IOException when stock could not use the list either
   */
  private @Nullable TieredDirs resolve(String listed, Configuration conf) throws IOException {
    Map<java.nio.file.Path, Path> dirs = new LinkedHashMap<>();
    FileSystem local = FileSystem.getLocal(conf);
    for (String dir : StringUtils.getTrimmedStrings(listed)) {
      Path path = new Path(dir);
      File file = path.isAbsolute() ? new File(local.makeQualified(path).toUri()) : new File(dir);
      dirs.putIfAbsent(file.toPath().toAbsolutePath().normalize(), new Path(file.getPath()));
    }
    NodeTiers tiers = tiers(Immutable.listFrom(dirs.keySet()), conf).orElse(null);
    if (tiers == null) {
      return null;
    }
    Map<LocalDir, Path> found = new HashMap<>();
    for (Map.Entry<java.nio.file.Path, Path> dir : dirs.entrySet()) {
      // Compares paths alone: a dir may hang.
      LocalDir root = tiers.layout().dirOf(dir.getKey()).orElse(null);
      // A container's dirs lie in local dirs, and are none themselves.
      if (root == null || (fixed != null && !root.path().equals(dir.getKey()))) {
        LOG.warn(
            "Local dirs {} are not all in the node's tiers {}; stock Hadoop places their files. Was"
                + " the NodeManager restarted with other local dirs?",
            dirs.keySet(),
            tiers.layout().dirs());
        return null;
      }
      // Two dirs of one root cannot be told apart by their tier; the first stands for both.
      found.putIfAbsent(root, dir.getValue());
    }
    TierLayout layout = tiers.layout();
    if (found.size() < layout.dirs().size()) {
      layout = layout.restrictedTo(found::containsKey);
    }
    Map<LocalDir, Path> dirOfRoot = new LinkedHashMap<>();
    for (LocalDir dir : layout.dirs()) {
      dirOfRoot.put(dir, Objects.requireNonNull(found.get(dir)));
    }
    if (fixed == null) {
      TaskJournal.begin(dirOfRoot);
    }
    Placer placer = new Placer(tiers.over(layout), LISTENERS);
    return new TieredDirs(listed, placer, validator, dirOfRoot);
  }

  /**
   * The tiers: those given, or else those that the NodeManager wrote into its marker, for dirs of a
   * container. Elsewhere, in a client or in the local job runner, which looks for the index of an
   * output in the output's own dir only, stock Hadoop is to do it: empty. Tests ask no NodeManager.
   */
  Optional<NodeTiers> tiers(List<java.nio.file.Path> dirs, Configuration conf) {
    if (fixed != null) {
      return Optional.of(fixed);
    }
    boolean container = !dirs.isEmpty();
    for (java.nio.file.Path dir : dirs) {
      container &= TaskJournal.applicationDir(dir).isPresent();
    }
    if (!container) {
      return Optional.empty();
    }
    if (!conf.getBoolean(ENABLED, true)) {
      LOG.info("TempTier is switched off for this job by {}=false", ENABLED);
      return Optional.empty();
    }
    Optional<NodeTiers> marked = NodeMarker.readFirst(dirs);
    if (!marked.isPresent()) {
      LOG.info(
          "Stock Hadoop places this container's files: no NodeManager with TempTier left its"
              + " marker above {}. A container of Docker or runC sees it where default-ro-mounts"
              + " has .temptier of each local dir.",
          dirs);
    }
    return marked;
  }

  /** Closes every list of dirs and the journal of this JVM; for tests, which share one JVM. */
  public static void closeAll() {
    eachPlacer(Placer::close);
    CONTEXTS.clear();
    TaskJournal.end();
  }

  /** Stock resolves a leading slash against the dir too. */
  private static String relative(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }

  private static void fellBack(String doing, Exception e) {
    if (FALLBACKS.getAndIncrement() == 0) {
      LOG.warn(
          "TempTier failed while {} and asked stock Hadoop instead, as it will each time this"
              + " happens; please report this with the stack trace",
          doing,
          e);
    }
  }

  static DiskValidator basicValidator() {
    try {
      return DiskValidatorFactory.getInstance(BasicDiskValidator.NAME);
    } catch (DiskErrorException e) {
      throw new IllegalStateException("Hadoop's own disk validator is missing", e);
    }
  }
}
