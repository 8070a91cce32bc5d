// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler whose jar is not the one for this Hadoop, or is there twice, is Hadoop's own. */
class WrongJarTest {
  @TempDir Path dir;

  /** Our classes from these folders, and all others as in this JVM. */
  private static final class OfFolders extends URLClassLoader {
    OfFolders(List<URL> folders) {
      super(folders.toArray(new URL[0]), TieredShuffleHandler.class.getClassLoader());
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

  private Path copy(String name) throws Exception {
    Path from =
        Path.of(
            TieredShuffleHandler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path to = dir.resolve(name);
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return to;
  }

  /** Starts the handler of these folders, has it serve a map output, and gives its warning. */
  private String serveFrom(Path... folders) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path folder : folders) {
      urls.add(folder.toUri().toURL());
    }
    try (Warnings warnings = new Warnings(TieredShuffleHandler.class.getName());
        OfFolders loader = new OfFolders(urls);
        ShuffleServer server =
            ShuffleServer.startService(
                create(loader), ShuffleServer.localDirs(dir.resolve("node"), 2), null, Map.of())) {
      ShuffleJob job = server.startJob("alice", 1);
      server.assertServes(job, 0, server.outputs().write(job, 1, 100));
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      return warnings.lines().get(0);
    }
  }

  private static AuxiliaryService create(ClassLoader loader) {
    try {
      Class<?> ours = loader.loadClass(TieredShuffleHandler.class.getName());
      assertNotEquals(TieredShuffleHandler.class, ours);
      return (AuxiliaryService) ours.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the handler", e);
    }
  }

  private static void mark(Path folder, String artifact, String version) throws IOException {
    Path pom = folder.resolve("META-INF/maven/io.temptier/" + artifact + "/pom.properties");
    Files.createDirectories(pom.resolveSibling("."));
    Files.writeString(pom, "version=" + version);
  }

  @Test
  void theJarOfHadoop33OnALaterOneLeavesItToStock() throws Exception {
    Path jar = copy("jar");
    mark(jar, "shuffle-tier-hadoop33", "0.2.0");
    String warning = serveFrom(jar);
    assertTrue(warning.contains("stock Hadoop's shuffle handler does"), warning);
    assertTrue(warning.contains(jar + " is for Hadoop 3.3"), warning);
  }
}
