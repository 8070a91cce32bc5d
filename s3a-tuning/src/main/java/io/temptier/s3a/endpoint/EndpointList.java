// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.util.StringUtils;

/** Reads the list of gateways, in which a name can stand for all of its addresses. */
final class EndpointList {
  /** Before a URL whose host stands for all of its addresses. */
  static final String DNS = "dns:";

  private EndpointList() {}

  /** Asks for the addresses of a name. */
  interface Names {
    /** All of its addresses. */
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /**
   * The gateways, each once, in the order of the list.
   *
   * @throws IllegalArgumentException with a text for operators when one is no endpoint, or a name
   *     has no address now
   */
  static List<URI> parse(String text, Names names) {
    List<String> urls = new ArrayList<>();
    for (String entry : StringUtils.getTrimmedStrings(text)) {
      if (entry.startsWith(DNS)) {
        urls.addAll(addresses(entry, names));
      } else {
        urls.add(entry);
      }
    }
    return Endpoints.parse(urls).stream().distinct().toList();
  }

  private static List<String> addresses(String entry, Names names) {
    URI url = Endpoints.parse(List.of(entry.substring(DNS.length()))).get(0);
    if ("https".equals(url.getScheme())) {
      throw new IllegalArgumentException(
          ("\"%s\" asks for https by address, and certificates hold names: list the gateways"
                  + " by the names in their certificates")
              .formatted(entry));
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
        .toList();
  }

  private static String host(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet4Address ? text : "[" + text + "]";
  }
}
