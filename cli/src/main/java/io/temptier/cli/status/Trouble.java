// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import java.util.Locale;

/** How a node of a cluster is, worst first. */
public enum Trouble {
  /** It did not tell: it does not answer, or not as a NodeManager, or not to this user. */
  UNKNOWN(true),
  /** Its NodeManager runs without TempTier. */
  WITHOUT(true),
  /** TempTier is there, and stock Hadoop places files. */
  STOCK(true),
  /** A local dir is lost, set aside, missing or hung. */
  FAILED(true),
  /** A local dir answers slower than the next tier. */
  SLOW(true),
  /** Something failed since its start. */
  ERRORS(false),
  /** Its configuration or a local dir works, but not as well as it could. */
  WARNED(false),
  /** A local dir is being emptied. */
  DRAINING(false),
  /** Its version or configuration is not that of most nodes. */
  DRIFT(false),
  /** None of these. */
  FINE(false);

  private final boolean serious;

  Trouble(boolean serious) {
    this.serious = serious;
  }

  /** Whether somebody should look at it now. */
  public boolean serious() {
    return serious;
  }

  /** As it is shown. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
