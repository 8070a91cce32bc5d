// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks the daemons' JSON pages. Thread safe. */
final class Rest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ObjectMapper mapper = new ObjectMapper();

  /** Loopback only, so no proxy that the machine may be set up with. */
  private final HttpClient client =
      HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).connectTimeout(TIMEOUT).build();

  /**
   * Gets a JSON page.
   *
   * @throws IOException when the daemon does not answer, or not with status 200 and JSON
   */
  JsonNode get(String url) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(TIMEOUT)
            .header("Accept", "application/json")
            .build();
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IOException(url + " answered status " + response.statusCode());
      }
      return mapper.readTree(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while asking " + url, e);
    }
  }
}
