// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import java.io.IOException;

/** The steps of a move, in their order. After any of them the process may be killed. */
public enum MoveStep {
  /** A link of a temporary name lies beside the fast file. */
  LINKED,
  /** The folders for the copy exist. */
  FOLDERS_MADE,
  /** An empty file of a temporary name is there. */
  COPY_STARTED,
  /** A part of the data is in it; reached many times. */
  PART_COPIED,
  /** All data, owner, mode and times are in it and on the disk. */
  COPIED,
  /** Copy has its final name. */
  COPY_NAMED,
  /** The link has taken the fast file's place. */
  REPLACED;

  /** Told of each step. A test stops the world here. */
  @FunctionalInterface
  public interface Observer {
    void reached(MoveStep step) throws IOException;
  }
}
