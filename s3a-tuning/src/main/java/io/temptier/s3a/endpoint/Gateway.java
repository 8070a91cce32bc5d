// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.net.URI;

/** A gateway as a file system sees it; the lock of its {@link GatewayGroup} guards its state. */
final class Gateway {
  /** Index in the list, from 0. */
  final int index;

  final URI endpoint;

  /** Counts of all file systems of this process. */
  final GatewayCounts counts;

  private int outstanding;
  private int failuresInARow;
  private int throttlesInARow;
  private long failingSince;
  private long answeredAt;
  private boolean out;

  Gateway(int index, URI endpoint) {
    this.index = index;
    this.endpoint = endpoint;
    this.counts = GatewayCounts.of(endpoint);
  }

  /** Requests under way, and streams not yet read to their end or closed. */
  int outstanding() {
    return outstanding;
  }

  boolean isOut() {
    return out;
  }

  void begin() {
    outstanding++;
    counts.add(GatewayCounter.REQUESTS, 1);
    counts.add(GatewayCounter.OUTSTANDING, 1);
  }

  void end() {
    outstanding--;
    counts.add(GatewayCounter.OUTSTANDING, -1);
  }

  /** Returns how often in a row it asked for fewer requests, and did nothing else. */
  int throttlesInARow() {
    return throttlesInARow;
  }

  /** True if it answered after another began to fail. */
  boolean answeredWhileFailing(Gateway other) {
    return answeredAt > other.failingSince;
  }

  /** Notes an answer; moments grow with each event of the group. */
  void answered(long moment) {
    failuresInARow = 0;
    throttlesInARow = 0;
    answeredAt = moment;
  }

  /** Counts a failure; true when these are too many now. */
  boolean failed(int most, boolean throttled, long moment) {
    if (failuresInARow == 0) {
      failingSince = moment;
    }
    failuresInARow++;
    throttlesInARow = throttled ? throttlesInARow + 1 : 0;
    counts.add(GatewayCounter.FAILURES, 1);
    return failuresInARow >= most;
  }

  void takeOut() {
    out = true;
    counts.add(GatewayCounter.TAKEN_OUT, 1);
    counts.add(GatewayCounter.OUT, 1);
  }

  void takeBack() {
    out = false;
    failuresInARow = 0;
    counts.add(GatewayCounter.TAKEN_BACK, 1);
    counts.add(GatewayCounter.OUT, -1);
  }

  /** Counts it as out no more, since nobody looks after it. */
  void forget() {
    if (out) {
      out = false;
      counts.add(GatewayCounter.OUT, -1);
    }
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
