// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin that says where the testbed is, and what it is called there. */
public final class TestbedFolder {
  private static final String NAME = "s3a-testbed";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = {
        "Where the testbed's folder, " + NAME + ", is. Default: benchmarks/target in a source",
        "checkout, else the folder for temporary files."
      })
  private @Nullable Path dir;

  /** Creates the mixin; picocli fills it in. */
  public TestbedFolder() {}

  /**
   * The folder, absolute, whether it is there or not; links above it resolved where they can be.
   */
  Path home() throws IOException {
    Path parent = dir != null ? dir : HadoopRuntime.workFolder();
    return TestbedHome.absolute(parent).resolve(NAME);
  }
}
