// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import com.google.auto.value.AutoValue;
import io.temptier.tier.NearestName;
import io.temptier.tier.text.Bounds;
import io.temptier.tier.text.Durations;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/** The settings of endpoint spreading. */
@AutoValue
public abstract class EndpointSettings {
  private static final int MOST_FAILURES = 1_000;
  private static final Bounds TIME = Bounds.of("10ms", "10m");

  /** The gateways, each once. */
  public abstract List<URI> endpoints();

  /** Number of failures in a row after which a gateway is taken out; at least 1. */
  public abstract int failures();

  /** Time that a gateway may be silent when an object is read. */
  public abstract Duration readTimeout();

  /** Bytes a second that a gateway must send of a large object; 0 for any. */
  public abstract long leastRate();

  /** Time that a gateway may be silent at all other requests. */
  public abstract Duration writeTimeout();

  /** Time from taking out, or a probe in vain, to the next probe. */
  public abstract Duration probeInterval();

  public abstract Duration probeTimeout();

  /**
   * Reads them. Asks DNS when the list says so. What it throws is a text for operators: the key,
   * its value, why it is wrong, what to do.
   */
  public static EndpointSettings of(Configuration conf) {
    return of(conf, InetAddress::getAllByName);
  }

  static EndpointSettings of(Configuration conf, Endpoints.Names names) {
    return new AutoValue_EndpointSettings(
        read(
            conf,
            EndpointKey.ENDPOINTS,
            text -> Endpoints.parse(text, names),
            "Write URLs with commas between, such as http://rgw1:8080,http://rgw2:8080"),
        read(
            conf,
            EndpointKey.FAILURES,
            EndpointSettings::count,
            "Write a whole number from 1 to " + MOST_FAILURES),
        time(conf, EndpointKey.READ_TIMEOUT),
        read(conf, EndpointKey.LEAST_RATE, Sizes::parse, "Write a size, such as 16k, or 0"),
        time(conf, EndpointKey.WRITE_TIMEOUT),
        time(conf, EndpointKey.PROBE_INTERVAL),
        time(conf, EndpointKey.PROBE_TIMEOUT));
  }

  /** True if there is anything to choose from. */
  public boolean spreads() {
    return endpoints().size() > 1;
  }

  /** Names that look like keys of ours and are not, each with what to do. */
  public static Map<String, String> unknownKeys(Configuration conf) {
    Map<String, String> unknown = new TreeMap<>();
    for (Map.Entry<String, String> property : conf) {
      String key = property.getKey();
      if (key.startsWith(EndpointKey.PREFIX) && !EndpointKey.names().contains(key)) {
        unknown.put(
            key,
            NearestName.of(key, EndpointKey.names())
                .map(near -> "Did you mean " + near + "?")
                .orElse("Take it out; docs/s3a.md lists the keys."));
      }
    }
    return unknown;
  }

  private static Duration time(Configuration conf, EndpointKey key) {
    return read(
        conf,
        key,
        text -> TIME.parse(text, Durations::parse),
        "Write a time from " + TIME + ", such as " + key.defaultValue());
  }

  private static <T> T read(
      Configuration conf, EndpointKey key, Function<String, T> parser, String remedy) {
    String set = conf.getTrimmed(key.key(), "");
    String value = set.isEmpty() ? key.defaultValue() : set;
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      // A password has no place in an endpoint, and must not get into a log by it.
      String shown = value.indexOf('@') < 0 ? Quoted.of(value) : "(not shown)";
      throw new IllegalArgumentException(
          key.key() + " = " + shown + " cannot be used: " + e.getMessage() + ". " + remedy + ".",
          e);
    }
  }

  private static int count(String text) {
    int number = Integer.parseInt(text);
    if (number < 1 || number > MOST_FAILURES) {
      throw new IllegalArgumentException("it is not from 1 to " + MOST_FAILURES);
    }
    return number;
  }
}
