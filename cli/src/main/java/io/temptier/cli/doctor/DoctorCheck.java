// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import java.util.List;

/** One thing the doctor looks at. Stateless; reads nothing but what it is given. */
interface DoctorCheck {
  /** Under which heading its findings are printed. */
  Topic topic();

  /**
   * Looks.
   *
   * @param rollout what is about to be rolled out
   * @return what there is to say; empty when all is well
   */
  List<Finding> check(Rollout rollout);

  /** The headings of the report, in its order. */
  enum Topic {
    /** The files themselves. */
    FILES("Files"),
    /** Dirs, media, caps and reserves. */
    TIERS("Tiers"),
    /** What makes the NodeManager load TempTier. */
    NODE_MANAGER("NodeManager"),
    /** What makes tasks load TempTier. */
    TASKS("MapReduce tasks"),
    /** S3A's upload buffers. */
    S3A("S3A upload buffers"),
    /** How the files fit the machine the doctor runs on. */
    MACHINE("This machine");

    private final String title;

    Topic(String title) {
      this.title = title;
    }

    /** The heading. */
    String title() {
      return title;
    }
  }
}
