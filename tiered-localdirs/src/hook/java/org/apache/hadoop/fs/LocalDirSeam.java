// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.fs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where TempTier reaches into Hadoop. All {@link LocalDirAllocator}s over a
 * configuration key share one object, whatever class or static field holds them. This takes its
 * place, asks a {@link Chooser} first, and is Hadoop's own wherever that has no answer.
 *
 * <p>Like all of this folder it is byte code of Java 8: Hadoop loads it in every JVM that has the
 * jar on its class path, and a class that is too new would end a task. It lies in Hadoop's package
 * since its superclass is open to that package alone. Safe for use by many threads.
 */
public final class LocalDirSeam extends LocalDirAllocator.AllocatorPerContext {
  /** Chooses among the local dirs. No method throws; null leaves the answer to Hadoop. */
  public interface Chooser {
    /**
     * Chooses the dir of a file that is about to be written.
     *
     * @param path below a local dir
     * @param size in bytes; 0 or less when nobody knows
     * @param conf lists the local dirs
     * @param checkWrite whether the file's folder is to be made, and to be writable
     * @return the file, or null
     */
    Path forWrite(String path, long size, Configuration conf, boolean checkWrite);

    /** The file in the first dir that has it, or null. */
    Path toRead(String path, Configuration conf);

    /** The file in each dir that has it, or null. */
    Iterable<Path> allToRead(String path, Configuration conf);

    /**
     * Returns the configuration by which Hadoop chooses where this has no answer: it lists no dir
     * that Hadoop must not touch.
     *
     * @param write true to choose the dir of a new file
     */
    Configuration forStock(Configuration conf, boolean write);
  }

  private static final Logger LOG = LoggerFactory.getLogger(LocalDirSeam.class);

  private final String key;
  private final Chooser chooser;
  private final Map<String, Object> contexts;
  private Object before;
  private boolean takenBack;
  private volatile boolean failed;

  private LocalDirSeam(
      String key, DiskValidator validator, Chooser chooser, Map<String, Object> contexts) {
    super(key, validator);
    this.key = key;
    this.chooser = chooser;
    this.contexts = contexts;
  }

  /** Constructor for Hadoop 3.1, which knows one way to check a dir. */
  private LocalDirSeam(String key, Chooser chooser, Map<String, Object> contexts) {
    super(key);
    this.key = key;
    this.chooser = chooser;
    this.contexts = contexts;
  }

  /**
   * Puts a chooser behind all allocators over a key, those that are there and those to come.
   *
   * @param key name of the property that lists the local dirs
   * @param validator what a dir must pass where Hadoop chooses it
   * @param chooser whom to ask
   * @return the seam, which can be taken back
   * @throws ReflectiveOperationException when this Hadoop is not built as expected. So do {@link
   *     LinkageError}s say, among them the one of a class path where TempTier and Hadoop come from
   *     different class loaders. Nothing is changed then
   */
  public static LocalDirSeam put(String key, DiskValidator validator, Chooser chooser)
      throws ReflectiveOperationException {
    Map<String, Object> contexts = contexts();
    LocalDirSeam seam =
        takesValidator()
            ? new LocalDirSeam(key, validator, chooser, contexts)
            : new LocalDirSeam(key, chooser, contexts);
    synchronized (contexts) {
      seam.before = contexts.put(key, seam);
    }
    return seam;
  }

  /** Puts back what was there before; with another in its place, when that is taken back. */
  public void takeBack() {
    synchronized (contexts) {
      takenBack = true;
      Object there = contexts.remove(key);
      while (there instanceof LocalDirSeam && ((LocalDirSeam) there).takenBack) {
        there = ((LocalDirSeam) there).before;
      }
      if (there != null) {
        contexts.put(key, there);
      }
    }
  }

  /** True if Hadoop's own part has the constructor that all but Hadoop 3.1 have. */
  private static boolean takesValidator() {
    try {
      LocalDirSeam.class.getSuperclass().getConstructor(String.class, DiskValidator.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> contexts() throws ReflectiveOperationException {
    Class<?> context = LocalDirSeam.class.getSuperclass();
    // Were one missing or final, a task would find out in the middle of its work.
    context.getDeclaredMethod(
        "getLocalPathForWrite", String.class, long.class, Configuration.class, boolean.class);
    context.getDeclaredMethod("getLocalPathToRead", String.class, Configuration.class);
    context.getDeclaredMethod("getAllLocalPathsToRead", String.class, Configuration.class);
    context.getDeclaredMethod("ifExists", String.class, Configuration.class);
    Field field = LocalDirAllocator.class.getDeclaredField("contexts");
    field.setAccessible(true);
    Object map = field.get(null);
    if (!(map instanceof Map)) {
      throw new NoSuchFieldException(field + " is " + map);
    }
    return (Map<String, Object>) map;
  }

  @Override
  public Path getLocalPathForWrite(String path, long size, Configuration conf, boolean checkWrite)
      throws IOException {
    Path chosen = null;
    try {
      chosen = chooser.forWrite(path, size, conf, checkWrite);
    } catch (RuntimeException | LinkageError e) {
      tell(path, e);
    }
    return chosen == null ? hadoops(path, size, forStock(conf, true), checkWrite) : chosen;
  }

  /**
   * Lets Hadoop choose. It leaves out for good the dirs that it cannot use when it first looks at a
   * list, maybe in a moment of trouble: a list that reads otherwise makes it look again.
   */
  private Path hadoops(String path, long size, Configuration conf, boolean checkWrite)
      throws IOException {
    try {
      return super.getLocalPathForWrite(path, size, conf, checkWrite);
    } catch (DiskErrorException e) {
      Configuration again = new Configuration(conf);
      again.set(key, conf.get(key) + ",");
      return super.getLocalPathForWrite(path, size, again, checkWrite);
    }
  }

  @Override
  public Path getLocalPathToRead(String path, Configuration conf) throws IOException {
    Path found = null;
    try {
      found = chooser.toRead(path, conf);
    } catch (RuntimeException | LinkageError e) {
      tell(path, e);
    }
    return found == null ? super.getLocalPathToRead(path, forStock(conf, false)) : found;
  }

  @Override
  public Iterable<Path> getAllLocalPathsToRead(String path, Configuration conf) throws IOException {
    Iterable<Path> found = all(path, conf);
    return found == null ? super.getAllLocalPathsToRead(path, forStock(conf, false)) : found;
  }

  @Override
  public boolean ifExists(String path, Configuration conf) {
    Iterable<Path> found = all(path, conf);
    return found == null ? super.ifExists(path, forStock(conf, false)) : found.iterator().hasNext();
  }

  private Configuration forStock(Configuration conf, boolean write) {
    try {
      return chooser.forStock(conf, write);
    } catch (RuntimeException | LinkageError e) {
      tell(key, e);
      return conf;
    }
  }

  private Iterable<Path> all(String path, Configuration conf) {
    try {
      return chooser.allToRead(path, conf);
    } catch (RuntimeException | LinkageError e) {
      tell(path, e);
      return null;
    }
  }

  private void tell(String path, Throwable e) {
    if (!failed) {
      failed = true;
      LOG.warn(
          "TempTier failed at {}; stock Hadoop chooses the dir, now and whenever it fails again."
              + " Check that TempTier's jars are of one version, and report this",
          path,
          e);
    }
  }
}
