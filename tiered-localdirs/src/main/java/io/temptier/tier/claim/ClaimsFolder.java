// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the folder of claims in a local dir where no NodeManager does, so that the processes of a
 * node count each other there. Any process of the dir's owner, or of root, may be its keeper; what
 * they do at a time gives the same. A dir that only its owner writes to has a folder of the owner's
 * own. One that everybody writes to has a folder for everybody if the dir is sticky; else anybody
 * could put another in its place.
 *
 * <p>The folder stays when its processes have ended: others may be about to claim there. For use by
 * one thread, which waits for the dir.
 */
public final class ClaimsFolder {
  private static final int OTHERS_WRITE = 0022;
  private static final int STICKY = 01000;
  private static final Logger LOG = LoggerFactory.getLogger(ClaimsFolder.class);

  private final Path root;
  private final ClaimSweep sweep;
  private final int self = new ProcessTable().selfUid();

  /** The folder in the local dir at {@code root}, which need not be this process's. */
  public ClaimsFolder(Path root, LongSupplier clockMillis) {
    this.root = root;
    this.sweep = new ClaimSweep(root, clockMillis);
  }

  /** Makes the folder unless it is there, and deletes what may not be in it. */
  public void keep() {
    Path folder = root.resolve(NodeMarker.DIR);
    try {
      if (Files.exists(folder.resolve(NodeMarker.LAYOUT), LinkOption.NOFOLLOW_LINKS)) {
        // A NodeManager's.
        return;
      }
      int owner = (Integer) Objects.requireNonNull(Files.getAttribute(root, "unix:uid"));
      int mode = (Integer) Objects.requireNonNull(Files.getAttribute(root, "unix:mode"));
      boolean shared = (mode & OTHERS_WRITE) != 0;
      if ((self != owner && self != 0) || (shared && (mode & STICKY) == 0)) {
        return;
      }
      NodeMarker.ensureFolder(folder, 0755, owner);
      NodeMarker.ensureFolder(NodeMarker.claims(root), shared ? 01777 : 0755, owner);
      sweep.sweep(null, Immutable.setOf());
    } catch (IOException e) {
      LOG.debug("Processes do not count each other in {}", root, e);
    }
  }
}
