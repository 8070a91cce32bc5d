// SPDX-License-Identifier: Apache-2.0
package io.temptier.hook;

import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.BasicDiskValidator;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * No file system, but what brings TempTier into a JVM: Hadoop makes one of each that is listed in
 * {@code META-INF/services/org.apache.hadoop.fs.FileSystem} when a JVM first asks for any file
 * system, which is before it places its first file.
 */
public final class HookFileSystem extends FileSystem {
  /** Scheme, and the start of the job counters' names; see {@code TaskCounters}. */
  public static final String SCHEME = "temptier";

  /**
   * The properties that list a container's local dirs: MapReduce's, that of Tez and LLAP, and that
   * of S3A's upload buffers.
   */
  private static final String[] KEYS = {
    "mapreduce.cluster.local.dir", "tez.runtime.framework.local.dirs", "fs.s3a.buffer.dir"
  };

  private static final Logger LOG = LoggerFactory.getLogger(HookFileSystem.class);
  private static final AtomicBoolean DONE = new AtomicBoolean();

  /** Used by Hadoop, through the service loader. Never throws: that would end the JVM's work. */
  public HookFileSystem() {
    // Whoever opens a path of our scheme makes another one.
    if (!DONE.compareAndSet(false, true)) {
      return;
    }
    try {
      for (String key : KEYS) {
        LocalDirSeam.put(
            key, DiskValidatorFactory.getInstance(BasicDiskValidator.NAME), new LateChooser(key));
      }
    } catch (Throwable e) {
      LOG.warn(
          "TempTier is not in this JVM, stock Hadoop places its files. Put TempTier's jars beside"
              + " Hadoop's own, and use a release that names this Hadoop version: {}",
          e.toString());
    }
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) {
    throw none();
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress) {
    throw none();
  }

  @Override
  public FSDataOutputStream append(Path file, int bufferSize, Progressable progress) {
    throw none();
  }

  @Override
  public boolean rename(Path from, Path to) {
    throw none();
  }

  @Override
  public boolean delete(Path file, boolean recursive) {
    throw none();
  }

  @Override
  public FileStatus[] listStatus(Path folder) {
    throw none();
  }

  @Override
  public void setWorkingDirectory(Path folder) {
    throw none();
  }

  @Override
  public Path getWorkingDirectory() {
    throw none();
  }

  @Override
  public boolean mkdirs(Path folder, FsPermission permission) {
    throw none();
  }

  @Override
  public FileStatus getFileStatus(Path file) {
    throw none();
  }

  private static UnsupportedOperationException none() {
    return new UnsupportedOperationException("there is no file system " + SCHEME + ":");
  }
}
