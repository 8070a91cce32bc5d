// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Class folders with a few classes of ours for JVMs that must not see the benchmarks' jar. */
public final class LoneClasses {
  private LoneClasses() {}

  /**
   * Copies classes, not those nested in them.
   *
   * @param folder what then goes on a class path; made if it is missing
   */
  public static void copy(Path folder, Class<?>... classes) throws IOException {
    for (Class<?> one : classes) {
      String name = one.getName().replace('.', '/') + ".class";
      Path copy = folder.resolve(name);
      Path parent = copy.getParent();
      Files.createDirectories(parent == null ? folder : parent);
      try (var in = LoneClasses.class.getClassLoader().getResourceAsStream(name)) {
        if (in == null) {
          throw new IOException("The class path of this JVM has no " + name);
        }
        Files.write(copy, in.readAllBytes());
      }
    }
  }
}
