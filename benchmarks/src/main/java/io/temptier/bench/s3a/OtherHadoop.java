// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.MavenClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The jars of a Hadoop that this build is not for, as Maven resolves them. */
final class OtherHadoop {
  private OtherHadoop() {}

  /**
   * Its runtime. Maven is asked once; it may have to fetch the jars.
   *
   * @param version one that the root pom has a profile for
   * @throws IOException when this is no source checkout, or Maven fails
   */
  static HadoopRuntime of(String version) throws IOException {
    Path root =
        HadoopRuntime.sourceRoot()
            .orElseThrow(() -> new IOException("it needs a source checkout, and Maven"));
    Path file = root.resolve("benchmarks/target/hadoop-" + version + ".classpath");
    List<Path> jars =
        MavenClassPath.of(
            root.resolve("benchmarks/hadoop-runtime/pom.xml"), file, "-Phadoop-" + version);
    HadoopRuntime runtime = new HadoopRuntime(jars, List.of());
    if (!runtime.version().equals(version)) {
      Files.delete(file);
      throw new IOException("Maven gave Hadoop " + runtime.version() + " for it");
    }
    return runtime;
  }
}
