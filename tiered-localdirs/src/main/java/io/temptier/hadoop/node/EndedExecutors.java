// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of Spark's applications that have no executor left on this node, but a shuffle service
 * that serves what those wrote. Executors left a file that says that blocks may be moved.
 *
 * <p>Only in folders of this process's user, which nobody else can exchange; under the Linux
 * container executor they are their users', and stay.
 */
final class EndedExecutors {
  private static final Logger LOG = LoggerFactory.getLogger(EndedExecutors.class);

  private final TierLayout layout;
  private final Supplier<Map<String, String>> users;
  private final int ownUid;

  /**
   * Those in a node's dirs.
   *
   * @param users by application, of those that may have ended executors
   * @param ownUid in whose folders
   */
  EndedExecutors(TierLayout layout, Supplier<Map<String, String>> users, int ownUid) {
    this.layout = layout;
    this.users = users;
    this.ownUid = ownUid;
  }

  /** What of theirs may be moved. */
  List<ColdBlocks.Blocks> blocks() {
    List<ColdBlocks.Blocks> all = new ArrayList<>();
    users
        .get()
        .forEach(
            (application, user) -> {
              try {
                blocks(application, user, all);
              } catch (OwnFolder.ForeignException e) {
                LOG.debug("Left to its user", e);
              } catch (IOException e) {
                LOG.debug("{} is looked at again", application, e);
              }
            });
    return all;
  }

  private void blocks(String application, String user, List<ColdBlocks.Blocks> all)
      throws IOException {
    Path relative = Paths.get("usercache", user, "appcache", application);
    Map<LocalDir, Path> folders = new HashMap<>();
    boolean shared = false;
    for (LocalDir dir : layout.dirs()) {
      try (@Nullable OwnFolder folder = OwnFolder.open(dir.path(), relative, ownUid).orElse(null)) {
        if (folder != null) {
          folders.put(dir, folder.path());
          shared |= folder.names("").contains(ColdBlocks.LOCK);
        }
      }
    }
    if (shared) {
      all.add(ColdBlocks.Blocks.of(application, folders, Immutable.setOf()));
    }
  }
}
