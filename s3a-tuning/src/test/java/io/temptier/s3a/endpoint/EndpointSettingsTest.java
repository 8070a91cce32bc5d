// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointSettingsTest {
  private static EndpointSettings settings(Map<String, String> values, InetAddress... addresses) {
    Configuration conf = new Configuration(false);
    values.forEach(conf::set);
    return EndpointSettings.of(
        conf,
        host -> {
          if (addresses.length == 0) {
            throw new UnknownHostException(host);
          }
          return addresses;
        });
  }

  private static List<Object> values(EndpointSettings settings) {
    return List.of(
        settings.endpoints(),
        settings.failures(),
        settings.readTimeout(),
        settings.leastRate(),
        settings.writeTimeout(),
        settings.probeInterval(),
        settings.probeTimeout());
  }

  @Test
  void namesStay() throws IOException {
    List<String> keys =
        Arrays.stream(EndpointKey.values())
            .map(key -> key.key() + ": default " + key.defaultValue())
            .toList();
    StableNames.check("properties in core-site.xml", keys, EndpointSettingsTest.class);
  }

  @Test
  void withoutAnyKeyNothingIsSpread() {
    EndpointSettings settings = settings(Map.of());
    assertEquals(
        List.of(
            List.of(),
            3,
            Duration.ofSeconds(10),
            16L << 10,
            Duration.ofSeconds(25),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5)),
        values(settings));
    assertFalse(settings.spreads());
  }

  @Test
  void everyKeyIsRead() {
    EndpointSettings settings =
        settings(
            Map.of(
                "temptier.s3a.endpoints", " http://a:1/ , HTTP://[::1]:2,http://a:1",
                "temptier.s3a.endpoint.failures", "7",
                "temptier.s3a.endpoint.read.timeout", "3s",
                "temptier.s3a.endpoint.least.rate", "1m",
                "temptier.s3a.endpoint.write.timeout", "4s",
                "temptier.s3a.endpoint.probe.interval", "300ms",
                "temptier.s3a.endpoint.probe.timeout", "1m"));
    assertEquals(
        List.of(
            List.of(URI.create("http://a:1"), URI.create("http://[::1]:2")),
            7,
            Duration.ofSeconds(3),
            1L << 20,
            Duration.ofSeconds(4),
            Duration.ofMillis(300),
            Duration.ofMinutes(1)),
        values(settings));
    assertTrue(settings.spreads());
  }

  @Test
  void aNameStandsForAllOfItsAddressesOnceEach() throws UnknownHostException {
    Map<String, String> conf = Map.of("temptier.s3a.endpoints", "dns:http://rgw:8080,http://c:3");
    InetAddress six = InetAddress.getByAddress(new byte[16]);
    InetAddress one = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    InetAddress two = InetAddress.getByAddress(new byte[] {10, 0, 0, 2});
    assertEquals(
        List.of(
            URI.create("http://10.0.0.1:8080"),
            URI.create("http://10.0.0.2:8080"),
            URI.create("http://c:3")),
        settings(conf, two, six, one).endpoints());
    assertEquals(
        List.of(URI.create("http://[0:0:0:0:0:0:0:0]:8080"), URI.create("http://c:3")),
        settings(conf, six).endpoints());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoints | rgw1:8080 | is no endpoint",
        "endpoints | http://a,https://b | mix http and https",
        "endpoints | http://a/bucket | buckets are no part of an endpoint",
        "endpoints | dns:http://rgw | has no address here",
        "endpoints | dns:https://rgw | certificates hold names",
        "endpoint.failures | 0 | it is not from 1 to 1000",
        "endpoint.failures | few | For input string",
        "endpoint.probe.interval | 5 | is not a duration",
        "endpoint.read.timeout | 10 | is not a duration",
        "endpoint.write.timeout | 11m | is more than 10m. Write a time from 10ms to 10m",
        "endpoint.probe.timeout | 0s | is not more than nothing",
        "endpoint.probe.timeout | 999999999d | is more than the longest duration",
        "endpoint.probe.interval | 1d | is more than 10m. Write a time from 10ms to 10m",
      })
  void whatIsWrongIsSaidWithKeyValueAndRemedy(String key, String value, String text) {
    String message =
        Texts.thrown(
            IllegalArgumentException.class, () -> settings(Map.of("temptier.s3a." + key, value)));
    assertTrue(message.startsWith("temptier.s3a." + key + " = \"" + value + "\" "), message);
    Texts.has(message, text, ". Write ");
  }

  @Test
  void aPasswordIsNotRepeated() {
    Map<String, String> conf = Map.of("temptier.s3a.endpoints", "http://me:hunter2@rgw");
    Texts.lacks(Texts.thrown(IllegalArgumentException.class, () -> settings(conf)), "hunter2");
  }

  @Test
  void keysThatNobodyReadsAreNamed() {
    Configuration conf = new Configuration(false);
    conf.set("temptier.s3a.endpoint", "http://a");
    conf.set("temptier.s3a.endpoint.failure", "1");
    conf.set("temptier.s3a.endpoints", "http://a");
    conf.set("temptier.enabled", "true");
    assertEquals(
        Map.of(
            "temptier.s3a.endpoint", "Did you mean temptier.s3a.endpoints?",
            "temptier.s3a.endpoint.failure", "Did you mean temptier.s3a.endpoint.failures?"),
        EndpointSettings.unknownKeys(conf));
  }

  /** {@code docs/s3a.md} lists the keys with their defaults. */
  @Test
  void theKeysAreDocumented() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "s3a.md"));
    for (EndpointKey key : EndpointKey.values()) {
      String value = key.defaultValue().isEmpty() ? "" : " (default `" + key.defaultValue() + "`)";
      String line = "\n- `%s`%s: ".formatted(key.key(), value);
      assertTrue(docs.contains(line), () -> "docs/s3a.md lacks" + line);
    }
  }
}
