// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link SeamProcess} with some jars and folders in a class loader of its own, below the JVM's, and
 * asked before it.
 */
final class OtherLoader extends URLClassLoader {
  private OtherLoader(URL[] own) {
    super(own, OtherLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null
          && (name.startsWith("io.temptier.") || name.startsWith("org.apache.hadoop."))) {
        try {
          return findClass(name);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve);
        }
      }
      return loaded == null ? super.loadClass(name, resolve) : loaded;
    }
  }

  public static void main(String[] args) throws Exception {
    List<URL> own = new ArrayList<>();
    for (String entry : System.getProperty("test.loader").split(":", -1)) {
      own.add(Path.of(entry).toUri().toURL());
    }
    try (OtherLoader loader = new OtherLoader(own.toArray(URL[]::new))) {
      // FileSystem looks for services there.
      Thread.currentThread().setContextClassLoader(loader);
      loader
          .loadClass(SeamProcess.class.getName())
          .getMethod("main", String[].class)
          .invoke(null, (Object) args);
    }
  }
}
