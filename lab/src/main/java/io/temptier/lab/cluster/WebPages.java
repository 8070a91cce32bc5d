// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.net.URLConnection;

/** Way to ask the pages of a cluster's daemons. Safe for use by many threads. */
@FunctionalInterface
public interface WebPages {
  /** Asks without TLS and without a user. */
  WebPages PLAIN = WebPages::openPlain;

  int TIMEOUT_MILLIS = 30_000;

  ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /**
   * Opens a page.
   *
   * @return to be closed
   * @throws IOException when the daemon does not answer, or with an error
   */
  InputStream open(String url) throws IOException;

  default String scheme() {
    return "http";
  }

  default String url(int port) {
    return scheme() + "://127.0.0.1:" + port;
  }

  default JsonNode json(String url) throws IOException {
    try (InputStream in = open(url)) {
      return MAPPER.readTree(in.readAllBytes());
    }
  }

  /** Loopback only, so no proxy that the machine may be set up with. */
  private static InputStream openPlain(String url) throws IOException {
    URLConnection connection = URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestProperty("Accept", "application/json, */*");
    return connection.getInputStream();
  }
}
