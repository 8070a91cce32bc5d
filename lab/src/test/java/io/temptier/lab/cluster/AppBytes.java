// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.StreamSupport;

/**
 * Samples what applications have in local dirs, and remembers the most. Links count nothing, nor do
 * folders of containers and what is localized.
 */
final class AppBytes extends Sampler {
  private static final long PERIOD_MILLIS = 200;

  /** {@code usercache/USER/appcache/APPLICATION/} and a name. */
  private static final int NAME = 4;

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
          if (attributes.isRegularFile() && isOfTasks(dir.relativize(file))) {
            bytes.add(attributes.size());
          }
        });
    return bytes.sum();
  }

  private static boolean isOfTasks(Path file) {
    List<String> names =
        StreamSupport.stream(file.spliterator(), false).map(Path::toString).toList();
    return names.size() > NAME + 1
        && names.get(0).equals("usercache")
        && names.get(2).equals("appcache")
        && !names.get(NAME).startsWith("container_")
        && !names.get(NAME).equals("filecache");
  }
}
