// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;

/** The properties of endpoint spreading, by core-site.xml; docs/s3a.md tells each. */
public enum EndpointKey {
  ENDPOINTS("temptier.s3a.endpoints", ""),
  FAILURES("temptier.s3a.endpoint.failures", "3"),
  READ_TIMEOUT("temptier.s3a.endpoint.read.timeout", "10s"),
  LEAST_RATE("temptier.s3a.endpoint.least.rate", "16k"),
  WRITE_TIMEOUT("temptier.s3a.endpoint.write.timeout", "25s"),
  PROBE_INTERVAL("temptier.s3a.endpoint.probe.interval", "2s"),
  PROBE_TIMEOUT("temptier.s3a.endpoint.probe.timeout", "5s");

  public static final String PREFIX = "temptier.s3a.";

  private final String key;
  private final String defaultValue;

  EndpointKey(String key, String defaultValue) {
    this.key = key;
    this.defaultValue = defaultValue;
  }

  public String key() {
    return key;
  }

  public String defaultValue() {
    return defaultValue;
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(EndpointKey::key).collect(Immutable.toList());
  }
}
