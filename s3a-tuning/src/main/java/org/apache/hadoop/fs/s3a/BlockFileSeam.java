// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.fs.s3a;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * S3A whose subclass says where blocks lie on disk until they are uploaded. The method that decides
 * is package-private in Hadoop. Where this class and Hadoop's come from different class loaders, or
 * a version has no such method, it overrides nothing, and blocks lie where Hadoop puts them: {@link
 * #missing} then says why.
 */
public abstract class BlockFileSeam extends S3AFileSystem {
  private static final String METHOD = "createTmpFileForWrite";

  /** Why Hadoop does not ask {@link #blockFile}, with what to do; empty when it does. */
  public static Optional<String> missing() {
    if (S3AFileSystem.class.getClassLoader() != BlockFileSeam.class.getClassLoader()) {
      return Optional.of(
          "TempTier and hadoop-aws come from different class loaders. Put TempTier's jars on the"
              + " same class path as hadoop-aws.");
    }
    try {
      Method unused =
          S3AFileSystem.class.getDeclaredMethod(
              METHOD, String.class, long.class, Configuration.class);
      return Optional.empty();
    } catch (NoSuchMethodException e) {
      return Optional.of(
          "this Hadoop's S3AFileSystem has no " + METHOD + ". Take fs.s3a.impl out of core-site.");
    }
  }

  /**
   * Makes the file for a block.
   *
   * @param prefix what its name begins with
   * @param bytes how long it can get; -1 when nobody knows
   * @param conf the configuration of this file system
   */
  protected abstract File blockFile(String prefix, long bytes, Configuration conf)
      throws IOException;

  /** The file where Hadoop would make it. */
  protected final File stockBlockFile(String prefix, long bytes, Configuration conf)
      throws IOException {
    return super.createTmpFileForWrite(prefix, bytes, conf);
  }

  @Override
  final File createTmpFileForWrite(String prefix, long bytes, Configuration conf)
      throws IOException {
    return blockFile(prefix, bytes, conf);
  }
}
