// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** {@link SeamProcess} with TempTier's classes in a class loader below Hadoop's. */
final class OtherLoader {
  private OtherLoader() {}

  public static void main(String[] args) throws Exception {
    URL classes = Path.of(System.getProperty("test.loader")).toUri().toURL();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, OtherLoader.class.getClassLoader())) {
      // FileSystem looks for services there.
      Thread.currentThread().setContextClassLoader(loader);
      SeamProcess.main(args);
    }
  }
}
