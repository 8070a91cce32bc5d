// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import java.util.Locale;

/** How a node of a cluster is, worst first. */
public enum Trouble {
  /** It did not tell: it does not answer, or not as a NodeManager, or not to this user. */
  UNKNOWN,
  /** Its NodeManager runs without TempTier. */
  WITHOUT,
  /** TempTier is there, and stock Hadoop places files. */
  STOCK,
  /** A local dir is lost, set aside, missing or hung. */
  FAILED,
  /** A local dir answers slower than the next tier. */
  SLOW,
  /** Something failed since its start. */
  ERRORS,
  /** Its configuration or a local dir works, but not as well as it could. */
  WARNED,
  /** A local dir is being emptied. */
  DRAINING,
  /** Its version or configuration is not that of most nodes. */
  DRIFT,
  /** None of these. */
  FINE;

  /** Whether somebody should look at it now. */
  public boolean serious() {
    return compareTo(SLOW) <= 0;
  }

  /** As it is shown. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
