// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchTest {
  @TempDir Path temp;

  @Test
  void helpersHaveTheJarsOfTheirNodeManagerAfterAnUpgrade() throws Exception {
    Path release =
        Path.of(Launch.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path current = Files.createSymbolicLink(temp.resolve("current"), release);
    URL url = current.toUri().toURL();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {url}, null)) {
      Class<?> main = loader.loadClass(Launch.class.getName());
      Launch launch = new Launch(main, List.of());
      Files.delete(current);
      Files.createSymbolicLink(current, temp);
      List<String> command = launch.command(temp.resolve("orders"), "leftover");
      assertEquals(release.toString(), command.get(command.indexOf("-cp") + 1));
    }
  }
}
