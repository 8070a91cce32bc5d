// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.gridmix;

import java.util.Locale;

/** When Gridmix submits the next job. */
enum Policy {
  /** When there are fewer than so many: the node always has work. */
  STRESS,

  /** When the trace says. */
  REPLAY,

  /** When the one before has ended. */
  SERIAL;

  /** For people, in the middle of a sentence. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
