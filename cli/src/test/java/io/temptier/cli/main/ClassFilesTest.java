// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster's JVMs are of Java 8 and later: none may meet a class that it cannot load. */
class ClassFilesTest {
  private static final int JAVA_8 = 52;
  private static final int MAGIC = 0xcafebabe;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.temptier.tier.Placement",
        "io.temptier.shuffle.ShuffleTier",
        "io.temptier.s3a.endpoint.EndpointSettings",
        "io.temptier.spark.SparkTiering",
        "io.temptier.cli.main.Main"
      })
  void allOfAJarAreOfJava8(String one) throws Exception {
    Class<?> inIt = Class.forName(one, false, getClass().getClassLoader());
    URI place = inIt.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path path = Path.of(place);
    List<String> newer = new ArrayList<>();
    if (Files.isDirectory(path)) {
      look(path, newer);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(path)) {
        look(jar.getPath("/"), newer);
      }
    }
    assertEquals(List.of(), newer);
  }

  private static void look(Path root, List<String> newer) throws IOException {
    List<Path> classes;
    try (Stream<Path> all = Files.walk(root)) {
      classes = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    assertFalse(classes.isEmpty());
    for (Path file : classes) {
      int version = version(file);
      if (version != JAVA_8) {
        newer.add(file + " is of version " + version);
      }
    }
  }

  private static int version(Path file) {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      assertEquals(MAGIC, in.readInt());
      in.readUnsignedShort();
      return in.readUnsignedShort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
