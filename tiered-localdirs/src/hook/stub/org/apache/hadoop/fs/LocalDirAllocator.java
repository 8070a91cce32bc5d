// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.fs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.DiskValidator;

/**
 * Stub of Hadoop's class for the compiler; no jar holds it. To it the nested class of the real one
 * is private; to the JVM it is package-private and open to extension.
 */
public class LocalDirAllocator {
  static class AllocatorPerContext {
    public AllocatorPerContext(String key, DiskValidator validator) {}

    /** Constructor of Hadoop 3.1. */
    public AllocatorPerContext(String key) {}

    public Path getLocalPathForWrite(String path, long size, Configuration conf, boolean checkWrite)
        throws IOException {
      throw new IOException();
    }

    public Path getLocalPathToRead(String path, Configuration conf) throws IOException {
      throw new IOException();
    }

    public Iterable<Path> getAllLocalPathsToRead(String path, Configuration conf)
        throws IOException {
      throw new IOException();
    }

    public boolean ifExists(String path, Configuration conf) {
      return false;
    }
  }
}
