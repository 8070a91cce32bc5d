// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;

/**
 * Asks the daemons' pages for JSON. Thread safe.
 *
 * @param pages how they are asked
 */
record Rest(WebPages pages) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  JsonNode get(String url) throws IOException {
    try (InputStream in = pages.open(url)) {
      return MAPPER.readTree(in.readAllBytes());
    }
  }

  /** Where a daemon of this machine has its pages. */
  String url(int port) {
    return pages.scheme() + "://127.0.0.1:" + port;
  }
}
