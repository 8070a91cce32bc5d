// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

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

  /** Where the cluster is. */
  Path cluster() {
    return path.resolve("cluster");
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    failed = true;
  }

  /** Deletes it when all is over, but for the logs of a test that failed. */
  void delete() throws IOException {
    if (!failed) {
      Folders.delete(path);
      return;
    }
    Path logs = cluster().resolve("logs");
    for (Path folder : List.of(path, cluster())) {
      for (Path entry : entries(folder)) {
        if (!logs.startsWith(entry)) {
          Folders.delete(entry);
        }
      }
    }
    System.out.println("A test failed: see " + logs);
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }
}
