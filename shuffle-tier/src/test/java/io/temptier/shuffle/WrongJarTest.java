// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.OtherUser;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Map;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler whose jar is not the one for this Hadoop is Hadoop's own. */
class WrongJarTest {
  @TempDir Path dir;

  /** Our classes from a folder, and all others as in this JVM. */
  private static final class OfFolder extends URLClassLoader {
    OfFolder(URL folder) {
      super(new URL[] {folder}, TieredShuffleHandler.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && name.startsWith("io.temptier.shuffle.")) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }

    /** The parent's copy of the handler counts for none, nor do the versions of its jars. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.startsWith("io/temptier/shuffle/")
              || name.startsWith("META-INF/maven/io.temptier/")
          ? findResources(name)
          : super.getResources(name);
    }
  }

  private static AuxiliaryService create(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> ours = loader.loadClass(TieredShuffleHandler.class.getName());
    assertNotEquals(TieredShuffleHandler.class, ours);
    return (AuxiliaryService) ours.getConstructor().newInstance();
  }

  @Test
  void theJarOfHadoop33OnALaterOneLeavesItToStock() throws Exception {
    Path jar = dir.resolve("jar");
    URL from = TieredShuffleHandler.class.getProtectionDomain().getCodeSource().getLocation();
    OtherUser.copy(Path.of(from.toURI()), jar);
    Path pom =
        jar.resolve("META-INF/maven/io.temptier/temptier-shuffle-tier-hadoop33/pom.properties");
    Files.createDirectories(pom.getParent());
    Files.writeString(pom, "version=0.2.0");
    try (Warnings warnings = new Warnings(TieredShuffleHandler.class.getName());
        OfFolder loader = new OfFolder(jar.toUri().toURL());
        ShuffleServer server =
            ShuffleServer.start(create(loader), dir.resolve("node"), null, Map.of())) {
      ShuffleJob job = server.startJob("alice", 1);
      server.assertServes(job, 0, server.outputs().write(job, 1, 100));
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      String warning = warnings.lines().get(0);
      assertTrue(warning.contains("stock Hadoop's shuffle handler does"), warning);
      assertTrue(warning.contains(jar + " is for Hadoop 3.3"), warning);
    }
  }
}
