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
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The folders of moves whose application ended meanwhile. The NodeManager, deleting the
 * application, leaves a folder behind when something appears in it at the wrong moment; what it
 * left is removed here, once it is empty, which may take some tries while the NodeManager is still
 * at it. For one thread.
 */
final class EndedFolders {
  /** Where the NodeManager deletes later than that, it finds nothing of ours in its way. */
  private static final long TRIES_NANOS = Duration.ofMinutes(10).toNanos();

  private record Move(MovePaths paths, long sinceNanos) {}

  private final LongSupplier clockNanos;
  private final List<Move> moves = new ArrayList<>();

  EndedFolders(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
  }

  /** Takes on the folders of a move which has taken back its files. */
  void add(MovePaths paths) {
    if (!delete(paths)) {
      moves.add(new Move(paths, clockNanos.getAsLong()));
    }
  }

  /** Tries again what is left. */
  void sweep() {
    for (Iterator<Move> all = moves.iterator(); all.hasNext(); ) {
      Move move = all.next();
      if (delete(move.paths()) || clockNanos.getAsLong() - move.sinceNanos() > TRIES_NANOS) {
        all.remove();
      }
    }
  }

  /** Removes what is empty; true when nothing of the application is left in the two dirs. */
  private static boolean delete(MovePaths paths) {
    boolean gone = true;
    for (LocalDir dir : List.of(paths.target(), paths.candidate().dir())) {
      Path application = paths.application(dir);
      Undo.deleteFolder(dir.path().resolve(paths.candidate().id().relativePath()));
      Undo.deleteFolder(paths.outputs(dir));
      Undo.deleteFolder(application);
      gone &= !Files.exists(application, LinkOption.NOFOLLOW_LINKS);
    }
    return gone;
  }
}
