// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import java.io.IOException;
import java.util.List;

/** One thing that only the store can tell. Stateless. */
interface StoreCheck {
  /** Under which heading its findings are printed. */
  Topic topic();

  /** What is asked, in a few words, for a person who waits. */
  String question();

  /** Whether it writes, be it below the scratch prefix only. */
  default boolean writes() {
    return true;
  }

  /** Whether nothing after it can succeed when it does not. */
  default boolean decides() {
    return false;
  }

  /**
   * Asks.
   *
   * @return what there is to say; empty when all is well
   * @throws IOException when the store refuses what S3A needs of it; {@link Symptom} explains it
   */
  List<Finding> check(Visit visit) throws IOException;
}
