// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;

import io.temptier.hadoop.metrics.Metric;

/** Counters of each gateway, over all file systems of a process. */
public enum GatewayCounter implements Metric {
  REQUESTS(eachCounter("Requests that were sent to the gateway, retries included, probes not.")),
  FAILURES(
      eachCounter(
          "Requests that failed by the gateway's fault: no connection, a broken or silent one, or a"
              + " 500, 502, 503, 504.")),
  RETRIED(
      eachCounter("Failed requests that were sent again, to another gateway where there is one.")),
  OUTSTANDING(eachGauge("Requests under way to the gateway, and streams not yet closed.")),
  TAKEN_OUT(eachCounter("How often the gateway was taken out, and taken back.")),
  TAKEN_BACK(eachCounter("How often the gateway was taken out, and taken back.")),
  OUT(eachGauge("File systems of this process for which the gateway is taken out now."));

  private final Definition definition;

  GatewayCounter(Definition definition) {
    this.definition = definition;
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
