// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Listeners;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.room.DirView;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.util.BasicDiskValidator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
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
public final class TieredLocalDirs implements LocalDirSeam.Chooser {
  private static final Logger LOG = LoggerFactory.getLogger(TieredLocalDirs.class);

  /** As many lists of dirs are remembered; one JVM rarely sees more than a list a task. */
  private static final int MOST_CONTEXTS = 64;

  /** A place for the dirs of one list, made by the first to need them. */
  private static final class Context {
    volatile @Nullable TieredDirs dirs;

    boolean idle() {
      TieredDirs made = dirs;
      return made != null && made.idle();
    }
  }

  /** By the key, the dirs listed and, in the NodeManager, their tiers. */
  private static final ConcurrentMap<List<Object>, Context> CONTEXTS = new ConcurrentHashMap<>();

  private static final Listeners LISTENERS = new Listeners();
  private static final AtomicLong FALLBACKS = new AtomicLong();

  private final String contextKey;
  private final DiskValidator validator;
  private final @Nullable NodeTiers fixed;
  private final TaskTiers taskTiers;
  private final EarlierFailures failures = new EarlierFailures(System::nanoTime);
  private volatile @Nullable TieredDirs latest;

  /**
   * The dirs of a container, in the tiers that the node's marker says they are. Hadoop's are used
   * where there is no marker.
   *
   * @param contextKey name of the property with the local dirs, such as {@code
   *     mapreduce.cluster.local.dir}
   */
  public TieredLocalDirs(String contextKey) {
    this(contextKey, basicValidator(), null, TaskTiers::ofMarker);
  }

  /**
   * The NodeManager's dirs.
   *
   * @param validator the check that a dir must pass before a file is placed there
   * @param tiers the tiers they are in
   */
  public TieredLocalDirs(String contextKey, DiskValidator validator, NodeTiers tiers) {
    this(contextKey, validator, tiers, TaskTiers::ofMarker);
  }

  TieredLocalDirs(
      String contextKey, DiskValidator validator, @Nullable NodeTiers fixed, TaskTiers taskTiers) {
    this.contextKey = contextKey;
    this.validator = validator;
    this.fixed = fixed;
    this.taskTiers = taskTiers;
  }

  /** Adds a listener to every placement of this JVM. */
  public static void addListener(PlacementListener listener) {
    LISTENERS.add(listener);
  }

  /** Removes a listener. */
  public static void removeListener(PlacementListener listener) {
    LISTENERS.remove(listener);
  }

  /** How often this JVM asked stock because of a doubt, since the start. */
  public static long fallbacks() {
    return FALLBACKS.get();
  }

  @Override
  public org.apache.hadoop.fs.@Nullable Path forWrite(
      String path, long size, Configuration conf, boolean checkWrite) {
    TieredDirs dirs = dirs(conf);
    if (dirs == null) {
      return null;
    }
    try {
      String file = relative(path);
      return dirs.place(file, size, failures, checkWrite).orElse(null);
    } catch (RuntimeException e) {
      fellBack("placing " + path, e);
      return null;
    }
  }

  @Override
  public org.apache.hadoop.fs.@Nullable Path toRead(String path, Configuration conf) {
    TieredDirs dirs = dirs(conf);
    org.apache.hadoop.fs.Path found = dirs == null ? null : dirs.find(relative(path));
    if (dirs != null && found != null) {
      dirs.settle(Paths.get(found.toUri().getPath()));
    }
    return found;
  }

  @Override
  public @Nullable Iterable<org.apache.hadoop.fs.Path> allToRead(String path, Configuration conf) {
    TieredDirs dirs = dirs(conf);
    return dirs == null ? null : dirs.findAll(relative(path));
  }

  @Override
  public boolean touchAll(Configuration conf, Runnable work) {
    TieredDirs dirs = dirs(conf);
    if (dirs == null) {
      work.run();
      return true;
    }
    return dirs.touchAll(work);
  }

  @Override
  public Configuration forStock(Configuration conf, boolean write) {
    TieredDirs dirs = dirs(conf);
    Optional<String> others = dirs == null ? Optional.empty() : dirs.forStock(write);
    if (!others.isPresent()) {
      return conf;
    }
    Configuration without = new Configuration(conf);
    without.set(contextKey, others.get());
    return without;
  }

  /**
   * Says that a file is complete: its real size is counted, and what was claimed for it is
   * released. Looking a file up for reading says so too.
   */
  public void settled(Path file) {
    contexts().forEach(dirs -> dirs.settle(file));
  }

  /** Says that every file that this JVM writes is complete. */
  static void settleEverything() {
    for (Context context : CONTEXTS.values()) {
      TieredDirs dirs = context.dirs;
      if (dirs != null) {
        dirs.settleAll();
      }
    }
  }

  /** The containers that failed, where these are the NodeManager's dirs. */
  public EarlierFailures failures() {
    return failures;
  }

  /**
   * The dirs as this allocator saw them last, for metrics; empty before its first use and in stock
   * mode.
   */
  public List<DirView> view() {
    TieredDirs dirs = latest;
    return dirs == null ? Immutable.listOf() : dirs.view();
  }

  /**
   * A dir that left the list may still have files being written, so older lists count too. This
   * allocator's own counts even where it was idle for long enough to be forgotten by the others.
   */
  private Set<TieredDirs> contexts() {
    Set<TieredDirs> all = new LinkedHashSet<>();
    TieredDirs own = latest;
    if (own != null) {
      all.add(own);
    }
    CONTEXTS.forEach(
        (id, context) -> {
          TieredDirs dirs = context.dirs;
          if (dirs != null && contextKey.equals(id.get(0))) {
            all.add(dirs);
          }
        });
    return all;
  }

  /** The dirs that the configuration lists now; null when stock is to do it. */
  private @Nullable TieredDirs dirs(Configuration conf) {
    String listed = conf.get(contextKey);
    if (listed == null) {
      return null;
    }
    TieredDirs dirs = latest;
    if (dirs == null || !dirs.serves(listed)) {
      dirs = make(listed, conf);
      latest = dirs;
    }
    return dirs.active() ? dirs : null;
  }

  private TieredDirs make(String listed, Configuration conf) {
    if (CONTEXTS.size() >= MOST_CONTEXTS) {
      CONTEXTS.values().removeIf(Context::idle);
    }
    List<Object> id = new ArrayList<>(Arrays.asList(contextKey, listed));
    if (fixed != null) {
      id.add(fixed);
    }
    Context context = CONTEXTS.computeIfAbsent(id, any -> new Context());
    // Of this list alone: another list's dirs may hang.
    synchronized (context) {
      TieredDirs dirs = context.dirs;
      if (dirs == null) {
        try {
          dirs = TieredDirs.of(listed, fixed, taskTiers, conf, validator, LISTENERS);
        } catch (IOException | RuntimeException e) {
          fellBack("resolving " + contextKey + "=" + listed, e);
          dirs = TieredDirs.stock(listed, validator);
        }
        context.dirs = dirs;
      }
      return dirs;
    }
  }

  /** Closes every list of dirs of this JVM and forgets it; for tests, which share one JVM. */
  public static void closeAll() {
    CONTEXTS
        .values()
        .removeIf(
            context -> {
              TieredDirs dirs = context.dirs;
              if (dirs != null) {
                dirs.close();
              }
              return true;
            });
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

  /** The check of dirs that an allocator makes by default. */
  static DiskValidator basicValidator() {
    try {
      return DiskValidatorFactory.getInstance(BasicDiskValidator.NAME);
    } catch (DiskErrorException e) {
      throw new IllegalStateException("Hadoop's own disk validator is missing", e);
    }
  }
}
