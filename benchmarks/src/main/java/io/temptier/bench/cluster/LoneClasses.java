/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.cluster;

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
   * @throws IOException when it cannot be written
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
