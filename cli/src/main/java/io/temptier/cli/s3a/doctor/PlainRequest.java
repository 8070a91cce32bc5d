/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
