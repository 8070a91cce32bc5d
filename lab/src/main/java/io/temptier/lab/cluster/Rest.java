// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks the daemons' pages. Thread safe. */
final class Rest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration FILE_TIMEOUT = Duration.ofMinutes(1);

  private final ObjectMapper mapper = new ObjectMapper();

  /** Loopback only, so no proxy that the machine may be set up with. */
  private final HttpClient client =
      HttpClient.newBuilder()
          .proxy(HttpClient.Builder.NO_PROXY)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .connectTimeout(TIMEOUT)
          .build();

  JsonNode get(String url) throws IOException {
    return mapper.readTree(ask(url, TIMEOUT, HttpResponse.BodyHandlers.ofByteArray()));
  }

  /**
   * Opens a file that a daemon serves.
   *
   * @return to be closed
   */
  InputStream open(String url) throws IOException {
    return ask(url, FILE_TIMEOUT, HttpResponse.BodyHandlers.ofInputStream());
  }

  private <T> T ask(String url, Duration timeout, HttpResponse.BodyHandler<T> as)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(timeout)
            .header("Accept", "application/json, */*")
            .build();
    try {
      HttpResponse<T> response = client.send(request, as);
      if (response.statusCode() != 200) {
        throw new IOException(url + " answered status " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while asking " + url, e);
    }
  }
}
