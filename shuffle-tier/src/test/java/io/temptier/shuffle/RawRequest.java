// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/**
 * A request, correct or not.
 *
 * @param uri path and query
 * @param headers in the order in which they are sent
 */
record RawRequest(String method, String uri, Map<String, String> headers) {
  /** What a fetcher sends, without the hash. */
  static RawRequest of(ShuffleJob job, int reduce, List<String> maps) {
    return of(
        "/mapOutput?job=" + job.id() + "&reduce=" + reduce + "&map=" + String.join(",", maps));
  }

  /** With a fetcher's headers, without the hash. */
  static RawRequest of(String uri) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Host", "localhost");
    headers.put(ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME);
    headers.put(ShuffleHeader.HTTP_HEADER_VERSION, ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
    return new RawRequest("GET", uri, headers);
  }

  RawRequest withMethod(String other) {
    return new RawRequest(other, uri, headers);
  }

  RawRequest withUri(String other) {
    return new RawRequest(method, other, headers);
  }

  RawRequest keepAlive() {
    return withUri(uri + "&keepAlive=true");
  }

  RawRequest with(String header, String value) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.put(header, value);
    return new RawRequest(method, uri, changed);
  }

  RawRequest without(String header) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.remove(header);
    return new RawRequest(method, uri, changed);
  }

  /** With the hash of this method, URI and port under the job's key. */
  RawRequest sign(ShuffleJob job, int port) {
    return with(SecureShuffleUtils.HTTP_HEADER_URL_HASH, hash(job, port));
  }

  /** The hash that belongs into the request. */
  String hash(ShuffleJob job, int port) {
    try {
      URL url = new URL("http", "", port, uri);
      return SecureShuffleUtils.hashFromString(SecureShuffleUtils.buildMsgFrom(url), job.key());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] toBytes() {
    StringBuilder text = new StringBuilder(method).append(' ').append(uri).append(" HTTP/1.1\r\n");
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text.append("\r\n").toString().getBytes(ISO_8859_1);
  }
}
