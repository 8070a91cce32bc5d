// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.fixtures.Trees;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches have the jars of their NodeManager, whatever an upgrade does; without it none begins. */
class LaunchTest {
  @TempDir Path temp;

  private static Path release() throws Exception {
    return Path.of(Launch.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Launch launchFrom(Path jarOrFolder) throws Exception {
    URL url = jarOrFolder.toUri().toURL();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {url}, null)) {
      return new Launch(loader.loadClass(Launch.class.getName()), List.of());
    }
  }

  private String classPath(Launch launch) throws IOException {
    List<String> command = launch.command(temp, List.of());
    return command.get(command.indexOf("-cp") + 1);
  }

  @Test
  void afterTheLinkLeadsToAnotherRelease() throws Exception {
    Path release = release();
    Path current = Files.createSymbolicLink(temp.resolve("current"), release);
    Launch launch = launchFrom(current);
    Files.delete(current);
    Files.createSymbolicLink(current, temp);
    assertEquals(release.toString(), classPath(launch));
  }

  /** As a package's upgrade does, to another version or to the same one built anew. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterTheJarIsDeleted(boolean replaced) throws Exception {
    Path jar = Files.createDirectory(temp.resolve("old")).resolve("temptier.jar");
    String name = Launch.class.getName().replace('.', '/') + ".class";
    try (URLClassLoader own = new URLClassLoader(new URL[] {release().toUri().toURL()}, null);
        var bytes = own.getResourceAsStream(name);
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(name));
      bytes.transferTo(out);
    }
    byte[] old = Files.readAllBytes(jar);
    Launch launch = launchFrom(jar);
    assertEquals(jar.toRealPath().toString(), classPath(launch), "no copy is needed");
    if (replaced) {
      Path next = Files.writeString(temp.resolve("next"), "another version");
      Files.move(next, jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.delete(jar);
      Files.delete(jar.getParent());
    }
    Path copy = Path.of(classPath(launch));
    assertEquals(temp, copy.getParent());
    assertArrayEquals(old, Files.readAllBytes(copy));
    assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)));
    assertEquals(copy.toString(), classPath(launch), "one copy is enough");
    assertTrue(Trees.below(temp).stream().noneMatch(file -> file.toString().endsWith(".part")));
  }

  private BatchProcess begin(long parent) throws IOException {
    Path leftover = Files.createFile(temp.resolve("leftover"));
    String[] arguments = {
      leftover.toString(),
      Long.toString(parent),
      "ann",
      "application_1_0001",
      "1024",
      temp.toString()
    };
    try {
      return new BatchProcess(LaunchTest.class, arguments);
    } finally {
      assertFalse(Files.exists(leftover));
    }
  }

  private static long parent() {
    return ProcessHandle.current().parent().orElseThrow().pid();
  }

  @Test
  void withoutItsNodeManagerItDoesNothing() throws IOException {
    assertThrows(MoveStoppedException.class, () -> begin(1L << 40));
    begin(parent()).check();
  }

  /** Such as one that outlived its NodeManager. */
  @Test
  void besideAnotherOneOfTheApplicationItDoesNothing() throws Exception {
    Process other =
        new ProcessBuilder(
                "sh",
                "-c",
                "read x",
                LaunchTest.class.getName(),
                "application_1_0001",
                "1024",
                temp.toString())
            .start();
    try {
      Texts.thrown(IOException.class, () -> begin(parent()), "/" + other.pid() + " ");
    } finally {
      other.destroyForcibly().waitFor();
    }
    begin(parent());
  }
}
