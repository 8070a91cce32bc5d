// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The class files of jars and folders. */
public final class ClassFiles {
  /** The major version of Java 8's. */
  public static final int JAVA_8 = 52;

  private static final int MAGIC = 0xcafebabe;

  private ClassFiles() {}

  /** The major version of each class that Java 8 would load from a jar or a folder. */
  public static Map<String, Integer> versions(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      return below(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return below(jar.getPath("/"));
    }
  }

  /** Fails when a class is of another version than Java 8's. */
  public static void assertJava8(Path place) throws IOException {
    Map<String, Integer> others = versions(place);
    others.values().removeIf(version -> version == JAVA_8);
    assertEquals(Map.of(), others, place::toString);
  }

  private static Map<String, Integer> below(Path root) throws IOException {
    List<Path> classes;
    try (Stream<Path> all = Files.walk(root)) {
      classes = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    assertFalse(classes.isEmpty(), () -> root + " has no classes");
    Map<String, Integer> versions = new TreeMap<>();
    for (Path file : classes) {
      String name = root.relativize(file).toString();
      // Those are for later Javas alone.
      if (!name.startsWith("META-INF/versions/") && !name.equals("module-info.class")) {
        versions.put(name, version(file));
      }
    }
    return versions;
  }

  private static int version(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      assertEquals(MAGIC, in.readInt());
      in.readUnsignedShort();
      return in.readUnsignedShort();
    }
  }
}
