// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The links in faster dirs to an output that goes down once more: each is made to lead to where the
 * output lies now, past the link it left on the way. So no reader goes through a chain of them.
 */
final class UpperLinks {
  private UpperLinks() {}

  /** The dirs of faster tiers. */
  static List<LocalDir> above(LocalDir dir, List<LocalDir> fastestFirst) {
    List<LocalDir> above = new ArrayList<>();
    for (LocalDir other : fastestFirst) {
      if (other.medium() == dir.medium()) {
        break;
      }
      above.add(other);
    }
    return above;
  }

  /**
   * Makes a link lead elsewhere, in one step, if it leads where it is said to.
   *
   * @param folder the output's, in a faster dir
   * @throws IOException when that failed; it leads where it did
   */
  static void repoint(OwnFolder folder, Path from, Path to, MoveStep.Observer observer)
      throws IOException {
    if (!leadsTo(folder.path().resolve(MapOutputId.DATA), from)) {
      return;
    }
    folder.deleteFile(MovePaths.LINK);
    try {
      Files.createSymbolicLink(folder.path().resolve(MovePaths.LINK), to);
      observer.reached(MoveStep.UPPER_LINKED);
      folder.rename(MovePaths.LINK, MapOutputId.DATA);
    } catch (IOException e) {
      folder.deleteFile(MovePaths.LINK);
      throw e;
    }
  }

  private static boolean leadsTo(Path link, Path target) throws IOException {
    return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(target);
  }
}
