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
package io.temptier.bench.ceph;

import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.LastingHome;
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
    return LastingHome.absolute(parent).resolve(NAME);
  }
}
