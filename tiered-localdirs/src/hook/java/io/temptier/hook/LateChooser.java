// SPDX-License-Identifier: Apache-2.0
package io.temptier.hook;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads TempTier when the first file is placed, so that a JVM that places none pays next to
 * nothing. Where it cannot be loaded, by an older Java for one, Hadoop chooses.
 */
final class LateChooser implements LocalDirSeam.Chooser {
  /** Loaded by name: it is byte code of a newer Java. Its constructor takes the key. */
  private static final String CHOOSER = "io.temptier.hadoop.allocator.TieredLocalDirs";

  private static final Logger LOG = LoggerFactory.getLogger(LateChooser.class);

  private static boolean logged;

  private final String key;
  private LocalDirSeam.Chooser loaded;
  private volatile boolean stock;

  LateChooser(String key) {
    this.key = key;
  }

  @Override
  public Path forWrite(String path, long size, Configuration conf, boolean checkWrite) {
    LocalDirSeam.Chooser chooser = loaded();
    return chooser == null ? null : chooser.forWrite(path, size, conf, checkWrite);
  }

  @Override
  public Path toRead(String path, Configuration conf) {
    LocalDirSeam.Chooser chooser = loaded();
    return chooser == null ? null : chooser.toRead(path, conf);
  }

  @Override
  public Iterable<Path> allToRead(String path, Configuration conf) {
    LocalDirSeam.Chooser chooser = loaded();
    return chooser == null ? null : chooser.allToRead(path, conf);
  }

  @Override
  public Configuration forStock(Configuration conf, boolean write) {
    LocalDirSeam.Chooser chooser = loaded();
    return chooser == null ? conf : chooser.forStock(conf, write);
  }

  private synchronized LocalDirSeam.Chooser loaded() {
    if (loaded == null && !stock) {
      try {
        loaded =
            (LocalDirSeam.Chooser)
                Class.forName(CHOOSER, true, LateChooser.class.getClassLoader())
                    .getConstructor(String.class)
                    .newInstance(key);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        stayStock(e);
      }
    }
    return loaded;
  }

  private void stayStock(Throwable why) {
    stock = true;
    synchronized (LateChooser.class) {
      if (logged) {
        return;
      }
      logged = true;
    }
    LOG.warn(
        "TempTier is not in this JVM, stock Hadoop places its files. It needs Java 8 and its jars"
            + " in one version on one class path; this is Java {}: {}",
        System.getProperty("java.specification.version"),
        why.toString());
  }
}
