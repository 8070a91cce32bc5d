// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** A request without keys for nothing in particular, which any store answers, if only with a no. */
final class PlainRequest {
  private PlainRequest() {}

  /**
   * Prepares it.
   *
   * @param gateway of http or https
   * @param patienceMillis how long it waits for a connection, and then for the answer
   * @return to be sent by asking it for its answer, and to be disconnected
   * @throws IOException when that is no URL
   */
  static HttpURLConnection to(String gateway, int patienceMillis) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(gateway + "/").normalize().toURL().openConnection();
    connection.setConnectTimeout(patienceMillis);
    connection.setReadTimeout(patienceMillis);
    connection.setInstanceFollowRedirects(false);
    return connection;
  }
}
