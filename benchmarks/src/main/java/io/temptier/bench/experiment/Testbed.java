// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.io.Closeable;
import java.io.IOException;

/** What the trials of a part are made on: a cluster on a node, servers under load, clients. */
public interface Testbed extends Closeable {
  /** Whether that trial can be made on it; when not, it has noted why. */
  default boolean runs(TrialId id) {
    return true;
  }

  /**
   * Makes one.
   *
   * @return also when what is measured failed
   * @throws IOException when the testbed fails; the run ends then
   */
  Trial run(TrialId id) throws IOException, InterruptedException;
}
