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
package io.temptier.tier;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The marker by which a NodeManager tells tasks what it resolved: a small properties file under each
 * local dir root.
 */
public final class NodeMarker {
  /** Folder of TempTier's own files under each root. */
  public static final String DIR = ".temptier";

  /** The marker, in {@link #DIR}. */
  public static final String LAYOUT = "layout";

  /** What the NodeManager measured last, in {@link #DIR}: what tasks use instead of walking. */
  public static final String STATE = "state";

  /** Folder of claims, in {@link #DIR}. */
  public static final String CLAIMS = "claims";

  /** Journal of the NodeManager's own placements, in {@link #DIR}. */
  public static final String PLACEMENTS = "placements";

  private NodeMarker() {}

  /**
   * Publishes what the node resolved under {@code root}.
   *
   * @throws IOException when the marker cannot be written; an older marker is then still whole
   */
  public static void write(Path root, NodeTiers tiers) throws IOException {
    throw new IOException("not yet");
  }

  /** Takes the marker back, so that tasks no longer follow it. No marker is no error. */
  public static void remove(Path root) throws IOException {
    throw new IOException("not yet");
  }

  /**
   * What the node resolved, as published under {@code root}.
   *
   * @return empty when there is no marker, or none that can be trusted and understood
   */
  public static Optional<NodeTiers> read(Path root) {
    return Optional.empty();
  }

  /**
   * The local dir root that a task's dir belongs to: the nearest parent, or the dir itself, that has
   * a trusted marker; without one, what is left of the path without {@code usercache/<user>} and what follows it;
   * without that, the dir itself. {@link #read} tells whether the root has a marker.
   */
  public static Path rootOf(Path taskDir) {
    return taskDir;
  }
}
