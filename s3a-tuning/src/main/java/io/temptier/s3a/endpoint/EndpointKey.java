// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;

/** The properties of endpoint spreading, read from core-site.xml with those of S3A. */
public enum EndpointKey {
  ENDPOINTS(
      "temptier.s3a.endpoints",
      "",
      "The gateways. `dns:http://rgw:8080` stands for all addresses of that name. With one or none"
          + " requests go as Hadoop sends them."),
  FAILURES(
      "temptier.s3a.endpoint.failures",
      "3",
      "How many requests in a row may fail with a 500, 502, 503, 504 or a broken connection before"
          + " a gateway is taken out."),
  READ_TIMEOUT(
      "temptier.s3a.endpoint.read.timeout",
      "10s",
      "How long a GET or HEAD of an object may wait for its next byte; 10ms to 10m."),
  LEAST_RATE(
      "temptier.s3a.endpoint.least.rate",
      "16k",
      "Bytes a second that a gateway must send of an object, over a read's timeout; 0 for no limit."
          + " Smaller answers have none."),
  WRITE_TIMEOUT(
      "temptier.s3a.endpoint.write.timeout",
      "25s",
      "How long all other requests may stand still; 10ms to 10m."),
  PROBE_INTERVAL(
      "temptier.s3a.endpoint.probe.interval",
      "2s",
      "How often a gateway that was taken out is probed; 10ms to 10m."),
  PROBE_TIMEOUT(
      "temptier.s3a.endpoint.probe.timeout",
      "5s",
      "How long a probe waits for its answer; 10ms to 10m.");

  public static final String PREFIX = "temptier.s3a.";

  private final String key;
  private final String defaultValue;
  private final String doc;

  EndpointKey(String key, String defaultValue, String doc) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.doc = doc;
  }

  public String key() {
    return key;
  }

  /** What holds when it is not set; empty for nothing. */
  public String defaultValue() {
    return defaultValue;
  }

  public String doc() {
    return doc;
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(EndpointKey::key).collect(Immutable.toList());
  }

  @Override
  public String toString() {
    return key;
  }
}
