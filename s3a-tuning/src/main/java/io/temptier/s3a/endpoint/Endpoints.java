// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.util.StringUtils;

/** Addresses of gateways as operators write them. */
public final class Endpoints {
  /** Prefix of a URL whose host stands for all of its addresses. */
  private static final String DNS = "dns:";

  private static final String EXPECTED = ": expected one such as http://rgw1.example.com:8080";

  private Endpoints() {}

  interface Names {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /**
   * Parses and checks.
   *
   * @throws IllegalArgumentException with a text for operators when one is no address of a gateway,
   *     or some are http and some https; the text repeats no user or password
   */
  public static List<URI> parse(List<String> texts) {
    List<URI> endpoints = new ArrayList<>();
    for (String text : texts) {
      URI endpoint = parse(text);
      if (!endpoints.isEmpty() && !endpoints.get(0).getScheme().equals(endpoint.getScheme())) {
        throw new IllegalArgumentException(
            String.format(
                "endpoints %s and %s mix http and https: all must be the same",
                endpoints.get(0), endpoint));
      }
      endpoints.add(endpoint);
    }
    return endpoints;
  }

  private static URI parse(String text) {
    if (text.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "an endpoint holds a user or a password (there is an @ in it): keep them in a credential"
              + " store");
    }
    URI uri;
    try {
      uri = new URI(text.trim());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no endpoint" + EXPECTED, e);
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!Immutable.listOf("http", "https").contains(scheme) || uri.getHost() == null) {
      throw new IllegalArgumentException("\"" + text + "\" is no endpoint" + EXPECTED);
    }
    if (!Immutable.listOf("", "/").contains(String.valueOf(uri.getRawPath()))
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "\"" + text + "\" goes on after the host: buckets are no part of an endpoint" + EXPECTED);
    }
    return URI.create(scheme + "://" + uri.getRawAuthority());
  }

  /**
   * Parses a list with commas, in which a name can stand for all of its addresses: the gateways,
   * each once, in the order of the list.
   *
   * @throws IllegalArgumentException with a text for operators when one is no endpoint, or a name
   *     has no address now
   */
  static List<URI> parse(String text, Names names) {
    List<String> urls =
        Arrays.stream(StringUtils.getTrimmedStrings(text))
            .flatMap(
                entry ->
                    entry.startsWith(DNS) ? addresses(entry, names).stream() : Stream.of(entry))
            .collect(Immutable.toList());
    return parse(urls).stream().distinct().collect(Immutable.toList());
  }

  private static List<String> addresses(String entry, Names names) {
    URI url = parse(entry.substring(DNS.length()));
    if ("https".equals(url.getScheme())) {
      throw new IllegalArgumentException(
          String.format(
              "\"%s\" asks for https by address, and certificates hold names: list the gateways"
                  + " by the names in their certificates",
              entry));
    }
    InetAddress[] found;
    try {
      found = names.addresses(url.getHost());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "\"" + entry + "\": " + url.getHost() + " has no address here; mend DNS or the name", e);
    }
    // A gateway that has an address of each kind would count twice.
    boolean four = Arrays.stream(found).anyMatch(Inet4Address.class::isInstance);
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return Arrays.stream(found)
        .filter(address -> !four || address instanceof Inet4Address)
        .map(address -> url.getScheme() + "://" + host(address) + port)
        .sorted()
        .collect(Immutable.toList());
  }

  private static String host(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet4Address ? text : "[" + text + "]";
  }
}
