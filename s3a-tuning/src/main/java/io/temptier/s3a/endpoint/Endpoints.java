// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

/** Addresses of gateways as operators write them. */
public final class Endpoints {
  private static final String EXPECTED = ": expected one such as http://rgw1.example.com:8080";

  private Endpoints() {}

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
            "endpoints %s and %s mix http and https: all must be the same"
                .formatted(endpoints.get(0), endpoint));
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
    boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!web || uri.getHost() == null) {
      throw new IllegalArgumentException("\"" + text + "\" is no endpoint" + EXPECTED);
    }
    if (!List.of("", "/").contains(String.valueOf(uri.getRawPath()))
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "\"" + text + "\" goes on after the host: buckets are no part of an endpoint" + EXPECTED);
    }
    return URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
  }
}
