// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system without its chmod, which is a process of its own per file where
 * libhadoop is missing.
 */
public final class PlainLocalFileSystem extends LocalFileSystem {
  /** Used by Hadoop, by reflection. */
  public PlainLocalFileSystem() {
    super(new Raw());
  }

  /** Makes every "file:" of these settings one of this class. */
  static <C extends Configuration> C use(C conf) {
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.setClass("fs.file.impl", PlainLocalFileSystem.class, LocalFileSystem.class);
    return conf;
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path file, FsPermission permission) {}
  }
}
