// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Waits for daemons by asking them. */
final class Readiness {
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private Readiness() {}

  /**
   * Asks until the answer is yes.
   *
   * @param all the daemons that must not die meanwhile
   * @param ready throws while the daemon does not answer yet
   * @throws PortTakenException when one of them died for a port that somebody else has
   * @throws IOException when one of them died for another cause, or took too long; the message has
   *     its last log lines
   */
  static void await(Daemon daemon, List<Daemon> all, Await.Question ready) throws IOException {
    Await.until(
        () -> daemon.name() + " to be ready" + ends(daemon),
        DEADLINE,
        () -> {
          for (Daemon other : all) {
            if (!other.alive()) {
              throw died(other);
            }
          }
          try {
            return ready.holds();
          } catch (IOException e) {
            return false;
          }
        });
  }

  private static IOException died(Daemon daemon) throws IOException {
    return daemon.logged("BindException")
        ? new PortTakenException(daemon.name() + " found its port taken" + ends(daemon))
        : new IOException(daemon.name() + " died at start" + ends(daemon));
  }

  private static String ends(Daemon daemon) {
    return ". The log " + daemon.log() + " ends:\n" + daemon.tail();
  }

  /** Somebody took a port between our look and the daemon's bind. */
  static final class PortTakenException extends IOException {
    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
      super(message);
    }
  }
}
