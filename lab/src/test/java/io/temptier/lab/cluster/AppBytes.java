// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/**
 * Samples what applications have in local dirs, and remembers the most. Links count nothing, nor do
 * folders of containers and what is localized.
 */
final class AppBytes extends Sampler {
  private static final long PERIOD_MILLIS = 200;

  /** Those in a folder of the application's that is no container's, nor of what is localized. */
  private static final Pattern OF_TASKS =
      Pattern.compile("usercache/[^/]+/appcache/[^/]+/(?!container_|filecache/)[^/]+/.+");

  private final List<Path> dirs;
  private long most;

  AppBytes(List<Path> dirs) {
    super("app-bytes", PERIOD_MILLIS);
    this.dirs = List.copyOf(dirs);
    start();
  }

  synchronized long most() {
    return most;
  }

  @Override
  protected void look() throws IOException {
    long bytes = 0;
    for (Path dir : dirs) {
      bytes += now(dir);
    }
    synchronized (this) {
      most = Math.max(most, bytes);
    }
  }

  static long now(Path dir) throws IOException {
    LongAdder bytes = new LongAdder();
    Folders.walk(
        dir,
        (file, attributes) -> {
          String name = dir.relativize(file).toString();
          if (attributes.isRegularFile() && OF_TASKS.matcher(name).matches()) {
            bytes.add(attributes.size());
          }
        });
    return bytes.sum();
  }
}
