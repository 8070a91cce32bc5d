// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Changes requests in ways that nobody thought of, the same ones for the same random numbers. */
final class Mutator {
  private static final List<String> TOKENS =
      List.of(
          new String[] {
            "\r\n", "\n", "\r\n\r\n", " ", "\t", "\0", "\377",
            "%", "%00", "%zz", "%2e%2e%2f", "../", "/", "//",
            "?", "&", "&&", "=", ",", ",,", ";",
            "#", ":", "+", "-1", "4294967296", "HTTP/1.1", "HTTP/9.9",
            "GET ", "http://", "*", "\303\251", "${jndi:x}", "map=", "job="
          });
  private static final List<String> METHODS =
      List.of(
          "GET", "POST", "HEAD", "PUT", "OPTIONS", "CONNECT", "TRACE", "get", "", "G T", "GE\0");

  private final Random random;

  Mutator(Random random) {
    this.random = random;
  }

  /** The request with some of its bytes changed, left out, doubled or put in. */
  byte[] bytes(byte[] request) {
    byte[] changed = request;
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      int from = random.nextInt(changed.length + 1);
      int to = Math.min(changed.length, from + random.nextInt(20));
      byte[] instead =
          switch (random.nextInt(5)) {
            case 0 -> new byte[0];
            case 1 -> pick(TOKENS).getBytes(ISO_8859_1);
            case 2 -> noise(1 + random.nextInt(30));
            case 3 -> Arrays.copyOfRange(changed, random.nextInt(from + 1), to);
            default -> oneBitOff(Arrays.copyOfRange(changed, from, to));
          };
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(changed, 0, from);
      out.writeBytes(instead);
      out.write(changed, to, changed.length - to);
      changed = out.toByteArray();
    }
    return random.nextInt(10) == 0
        ? Arrays.copyOf(changed, random.nextInt(changed.length + 1))
        : changed;
  }

  /** The request with another method, URI or other headers. */
  RawRequest request(RawRequest request) {
    return switch (random.nextInt(6)) {
      case 0 -> request.withMethod(pick(METHODS));
      case 1, 2 -> request.withUri(uri(request.uri()));
      case 3 -> request.without(pick(List.copyOf(request.headers().keySet())));
      case 4 -> header(request);
      default -> request;
    };
  }

  private RawRequest header(RawRequest request) {
    return switch (random.nextInt(9)) {
      case 0 -> request.with("X-" + random.nextInt(9), "y".repeat(random.nextInt(20_000)));
      case 1 -> request.with("Content-Length", pick(List.of("-1", "9", "70000", "x", "1, 1")));
      case 2 -> request.with("Transfer-Encoding", pick(List.of("chunked", "gzip", "chunked, x")));
      case 3 -> request.with("Expect", pick(List.of("100-continue", "nothing")));
      case 4 -> request.with("Connection", pick(List.of("close", "keep-alive", "upgrade", "\1")));
      case 5 -> request.with("Upgrade", pick(List.of("h2c", "websocket", "TLS/1.0")));
      case 6 -> request.with("URLHASH", "AAAA").with("urlhash", "BBBB");
      case 7 -> request.with("version", pick(TOKENS)).with("name", pick(TOKENS));
      default -> request.with(pick(TOKENS), pick(TOKENS));
    };
  }

  /** The URI with parameters left out, doubled, exchanged or changed. */
  String uri(String uri) {
    int query = uri.indexOf('?');
    String path = uri.substring(0, query + 1);
    List<String> parameters = new ArrayList<>(List.of(uri.substring(query + 1).split("&", -1)));
    int index = random.nextInt(parameters.size());
    switch (random.nextInt(7)) {
      case 0 -> parameters.remove(index);
      case 1 -> parameters.add(parameters.get(index));
      case 2 -> parameters.set(index, parameters.get(index) + pick(TOKENS).strip());
      case 3 -> parameters.set(index, encoded(parameters.get(index)));
      case 4 -> parameters.add(0, "x".repeat(random.nextInt(5000)));
      case 5 -> parameters.set(index, parameters.get(index).replace("=", pick(TOKENS).strip()));
      default -> path = pick(List.of("?", "/?", "//mapOutput?", "http://h/mapOutput?", "/../?"));
    }
    return path + String.join("&", parameters);
  }

  private String encoded(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      out.append(random.nextInt(3) == 0 ? "%%%02x".formatted((int) next) : String.valueOf(next));
    }
    return out.toString();
  }

  /** A hash that is not the right one. */
  String wrong(String hash) {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> hash.substring(0, random.nextInt(hash.length() / 2));
      // The last character of Base64 holds bits that do not count.
      case 2 -> {
        int index = random.nextInt(hash.length() / 2);
        yield hash.substring(0, index)
            + (hash.charAt(index) == 'A' ? 'B' : 'A')
            + hash.substring(index + 1);
      }
      case 3 -> new StringBuilder(hash).reverse().toString();
      default -> "A".repeat(random.nextInt(3000));
    };
  }

  /** Cuts into pieces of any length. */
  List<byte[]> pieces(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(200));
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return pieces;
  }

  byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] oneBitOff(byte[] bytes) {
    if (bytes.length > 0) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
