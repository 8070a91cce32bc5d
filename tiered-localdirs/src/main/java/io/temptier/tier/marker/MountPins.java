// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.os.MountPin;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pins a node's dirs to what they lie on, at the start of a NodeManager. A dir whose disk was not
 * mounted at boot keeps the pin that the markers in the other dirs remember of it.
 */
public final class MountPins {
  private MountPins() {}

  /** Returns the tiers with every dir pinned. Reads the markers of an earlier NodeManager. */
  public static NodeTiers pin(NodeTiers tiers) {
    Map<Path, MountPin> earlier = lastPins(tiers.layout());
    return tiers.over(tiers.layout().pinned(dir -> pin(dir, earlier.get(dir))));
  }

  private static Optional<MountPin> pin(Path dir, @Nullable MountPin before) {
    Optional<MountPin> now = MountPin.of(dir);
    return before != null && now.isPresent() && lost(before, now.get())
        ? Optional.of(before.withoutDevice())
        : now;
  }

  /** A dir that was a mount of its own, in a container say, may lie on the same disk without it. */
  private static boolean lost(MountPin before, MountPin now) {
    boolean same =
        before.device() != MountPin.UNKNOWN
            && before.device() == now.device()
            && !now.mountPoint().equals(Paths.get("/"));
    return before.lostOn(now) && !same;
  }

  /**
   * The pins in the marker that was written last. One that lies below a mount point, or on a disk
   * that was away for a while, is older than those of the dirs that were in use.
   */
  private static Map<Path, MountPin> lastPins(TierLayout layout) {
    Map<Path, MountPin> pins = new HashMap<>();
    long latest = 0;
    for (LocalDir dir : layout.dirs()) {
      Path marker = dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT);
      long written = marker.toFile().lastModified();
      Optional<NodeTiers> marked =
          written > latest ? NodeMarker.read(dir.path()) : Optional.empty();
      if (marked.isPresent()) {
        latest = written;
        pins.clear();
        for (LocalDir pinned : marked.get().layout().dirs()) {
          MountPin pin = pinned.pin();
          if (pin != null) {
            pins.put(pinned.path(), pin);
          }
        }
      }
    }
    return pins;
  }
}
