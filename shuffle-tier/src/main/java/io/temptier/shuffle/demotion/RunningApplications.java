// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import java.util.Map;
import java.util.Optional;

/** Tells which applications run on this node. Must not block for long: it is asked often. */
@FunctionalInterface
public interface RunningApplications {
  /**
   * The applications of which nothing is deleted before this says that they run no more.
   *
   * @return users by application id; empty when nobody can tell, and then nothing is demoted
   */
  Optional<Map<String, String>> users();
}
