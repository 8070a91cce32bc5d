// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;

/** What is counted of each gateway, over all file systems of a process. */
public enum GatewayCounter implements Metric {
  /** Requests. */
  REQUESTS(
      TierCounter.Type.COUNTER,
      "Requests",
      "Requests that were sent to the gateway, retries included, probes not."),
  /** Failures. */
  FAILURES(
      TierCounter.Type.COUNTER,
      "Failures",
      "Requests that failed by the gateway's fault: no connection, a broken or silent one, or a"
          + " 500, 502, 503, 504."),
  /** Retries. */
  RETRIED(
      TierCounter.Type.COUNTER,
      "Retried",
      "Failed requests that were sent again, to another gateway where there is one."),
  /** Under way. */
  OUTSTANDING(
      TierCounter.Type.GAUGE,
      "Outstanding",
      "Requests to the gateway under way and streams not yet closed."),
  /** Taken out. */
  TAKEN_OUT(TierCounter.Type.COUNTER, "TakenOut", "How often the gateway was taken out."),
  /** Taken back. */
  TAKEN_BACK(TierCounter.Type.COUNTER, "TakenBack", "How often the gateway was taken back."),
  /** File systems that have it taken out. */
  OUT(
      TierCounter.Type.GAUGE,
      "Out",
      "File systems of this process that have the gateway taken out now.");

  private final TierCounter.Type type;
  private final String attribute;
  private final String doc;

  GatewayCounter(TierCounter.Type type, String attribute, String doc) {
    this.type = type;
    this.attribute = attribute;
    this.doc = doc;
  }

  @Override
  public TierCounter.Type type() {
    return type;
  }

  @Override
  public TierCounter.Unit unit() {
    return TierCounter.Unit.EVENTS;
  }

  @Override
  public String attribute() {
    return attribute;
  }

  @Override
  public String doc() {
    return doc;
  }
}
