// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** By HTTP. */
final class PlainPages implements WebPages {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Loopback only, so no proxy that the machine may be set up with. */
  private final HttpClient client =
      HttpClient.newBuilder()
          .proxy(HttpClient.Builder.NO_PROXY)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .connectTimeout(TIMEOUT)
          .build();

  @Override
  public String scheme() {
    return "http";
  }

  @Override
  public InputStream open(String url) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(TIMEOUT)
            .header("Accept", "application/json, */*")
            .build();
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      if (response.statusCode() != 200) {
        response.body().close();
        throw new IOException(url + " answered status " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while asking " + url, e);
    }
  }
}
