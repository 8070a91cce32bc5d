// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * The folder of a cluster that tests share for minutes. Where one of them failed the logs of
 * daemons and containers stay, since such a run is not soon repeated.
 */
final class RunFolder implements TestWatcher {
  private final Path path;
  private boolean failed;

  /** A new one below {@code target}, whose name begins so. */
  RunFolder(String name) throws IOException {
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
    failed = true;
    try {
      Shell.run("cp", "-r", cluster().resolve("logs").toString(), logs().toString());
      System.out.println("A test failed: see " + logs());
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private Path logs() {
    return path.resolve("logs");
  }

  /** Deletes it when all is over, but for the logs of tests that failed. */
  void delete() throws IOException {
    for (Path entry : entries(path)) {
      if (!entry.equals(logs())) {
        Folders.delete(entry);
      }
    }
    if (!failed) {
      Folders.delete(path);
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }
}
