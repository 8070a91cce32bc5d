// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is in the jar for Hadoop 3.3. That it serves there is tried in the lab. */
final class Hadoop33JarIT {
  /** Of the files that the jar may hold, those a JVM loads classes from. */
  private static final Pattern OURS =
      Pattern.compile(
          "io/temptier/(shaded/netty|shuffle)/.*"
              + "|org/apache/hadoop/mapred/(Netty4[A-Za-z0-9$]+|SegmentChannelHandler.*)\\.class");

  private final ZipFile jar;

  Hadoop33JarIT() throws IOException {
    jar = new ZipFile(System.getProperty("temptier.hadoop33.jar"));
  }

  @AfterEach
  void close() throws IOException {
    jar.close();
  }

  @Test
  void holdsNothingThatHadoopHasUnderTheSameName() {
    List<String> others =
        files()
            .map(ZipEntry::getName)
            .filter(name -> !name.startsWith("META-INF/"))
            .filter(name -> !OURS.matcher(name).matches())
            .toList();
    assertEquals(List.of(), others);
  }

  /** Strings too, by which Netty finds its own. */
  @Test
  void namesNothingByItsFormerName() throws IOException {
    List<? extends ZipEntry> classes =
        files().filter(file -> file.getName().endsWith(".class")).toList();
    assertTrue(classes.size() > 1_000, "classes: " + classes.size());
    for (ZipEntry file : classes) {
      String text = new String(bytes(file), StandardCharsets.ISO_8859_1);
      assertFalse(text.contains("io/netty/"), file.getName());
      assertFalse(text.contains("org/apache/hadoop/mapred/ShuffleChannelHandler"), file.getName());
      assertFalse(text.contains("org/apache/hadoop/mapred/ShuffleHandler"), file.getName());
    }
  }

  @Test
  void saysWhatItHolds() throws IOException {
    String notice = new String(bytes(jar.getEntry("META-INF/NOTICE")), StandardCharsets.UTF_8);
    for (String held : List.of("TempTier", "Apache Hadoop", "Netty", "JCTools", "QOS.ch")) {
      assertTrue(notice.contains(held), held);
    }
    assertTrue(
        new String(bytes(jar.getEntry("META-INF/LICENSE")), StandardCharsets.UTF_8)
            .contains("Apache License"));
  }

  private Stream<? extends ZipEntry> files() {
    return jar.stream().filter(file -> !file.isDirectory());
  }

  private byte[] bytes(ZipEntry file) throws IOException {
    try (var in = jar.getInputStream(file)) {
      return in.readAllBytes();
    }
  }
}
