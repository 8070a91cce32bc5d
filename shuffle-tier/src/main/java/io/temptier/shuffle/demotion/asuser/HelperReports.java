// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A helper's way to its NodeManager. For one thread. */
public final class HelperReports {
  private final OutputStream out;

  /** Reports by a stream that has no buffer of its own. */
  public HelperReports(OutputStream out) {
    this.out = out;
  }

  /** Says that from now on there are reports. */
  public void greet() throws IOException {
    out.write((HelperReport.GREETING + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reports, and waits until the NodeManager has heard of what was reported before.
   *
   * @throws IOException when the NodeManager is gone
   */
  public void send(long order, HelperReport.Kind kind, String text) throws IOException {
    out.write(HelperReport.of(order, kind, text).encode());
  }
}
