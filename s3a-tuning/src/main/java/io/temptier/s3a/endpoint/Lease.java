// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.util.concurrent.atomic.AtomicBoolean;

/** One request under way on one gateway. Its end counts once; thread safe. */
final class Lease {
  private final GatewayGroup group;
  private final Gateway gateway;
  private final boolean wasOut;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile Runnable atEnd = () -> {};

  /**
   * A request that begins.
   *
   * @param wasOut whether the gateway is tried although it is taken out
   */
  Lease(GatewayGroup group, Gateway gateway, boolean wasOut) {
    this.group = group;
    this.gateway = gateway;
    this.wasOut = wasOut;
  }

  /** Where it is sent. */
  Gateway gateway() {
    return gateway;
  }

  /** The gateway answered; the request goes on when it has a stream. */
  void answered() {
    group.answered(gateway, wasOut);
  }

  /** Has something done once when it ends; to be called before that. */
  void atEnd(Runnable action) {
    atEnd = action;
  }

  /** Nothing more comes or is wanted. */
  void end() {
    if (ended.compareAndSet(false, true)) {
      group.ended(gateway);
      atEnd.run();
    }
  }

  /** It failed, with what that says. */
  Outcome failed(Throwable failure) {
    Outcome outcome = Outcome.of(failure);
    if (outcome.blames()) {
      group.failed(gateway, outcome, failure);
    } else if (outcome == Outcome.ANSWERED) {
      answered();
    }
    end();
    return outcome;
  }
}
