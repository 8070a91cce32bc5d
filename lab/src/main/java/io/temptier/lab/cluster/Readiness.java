// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Waits for daemons by asking them. */
final class Readiness {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final long POLL_MILLIS = 200;

  private Readiness() {}

  /** Something to ask a daemon. */
  interface Question {
    /**
     * Whether it is so by now.
     *
     * @throws IOException when the daemon does not answer yet
     */
    boolean holds() throws IOException;
  }

  /**
   * Asks until the answer is yes.
   *
   * @param daemon whose readiness is asked for
   * @param all the daemons that must not die meanwhile
   * @throws PortTakenException when one of them died for a port that somebody else has
   * @throws IOException when one of them died for another cause, or took too long; the message has
   *     its last log lines
   */
  static void await(Daemon daemon, List<Daemon> all, Question ready)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    String last;
    do {
      for (Daemon other : all) {
        if (!other.alive()) {
          throw died(other);
        }
      }
      try {
        if (ready.holds()) {
          return;
        }
        last = "it answered, but not that it is ready";
      } catch (IOException e) {
        last = e.toString();
      }
      Thread.sleep(POLL_MILLIS);
    } while (System.nanoTime() < deadline);
    throw new IOException(
        "%s was not ready after %s minutes: %s%s"
            .formatted(daemon.name(), DEADLINE.toMinutes(), last, ends(daemon)));
  }

  private static IOException died(Daemon daemon) throws IOException {
    if (daemon.logged("BindException")) {
      return new PortTakenException(daemon.name() + " found its port taken" + ends(daemon));
    }
    return new IOException(daemon.name() + " died at start" + ends(daemon));
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
