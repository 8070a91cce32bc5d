// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * The folder of a cluster that tests share for minutes. Where one of them failed the logs of
 * daemons and containers stay, since such a run is not soon repeated.
 */
final class ClusterFolder implements TestWatcher {
  private final Path path;

  /** A new one below {@code target}, whose name begins so. */
  ClusterFolder(String name) throws IOException {
    path = Files.createTempDirectory(Path.of("target").toAbsolutePath(), name + "-");
  }

  Path path() {
    return path;
  }

  Path cluster() {
    return path.resolve("cluster");
  }

  /** Called before the cluster is closed, which deletes its folder. */
  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    String logs = path + "-logs";
    try {
      Shell.run("cp", "-rT", cluster().resolve("logs").toString(), logs);
      System.out.println("A test failed: see " + logs);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  void delete() throws IOException {
    Folders.delete(path);
  }
}
