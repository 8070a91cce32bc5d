// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.cluster.WebPages;
import io.temptier.lab.process.Await;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers of a gateway to readers of objects, by its own log: whatever the client counts, or does
 * not. For use by one thread.
 */
public final class GatewayLog {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** Line of an object, not of a bucket: a key, and no question. */
  private static final Pattern GET =
      Pattern.compile(" beast: .*? \"GET /[^/ ?]+/[^ ?]+ HTTP/[0-9.]+\" 2\\d\\d (\\d+) ");

  private final URI gateway;
  private final Path file;
  private long position;

  GatewayLog(URI gateway, Path file) {
    this.gateway = gateway;
    this.file = file;
  }

  /**
   * Answers sent.
   *
   * @param bytes of them that the gateway gave to its socket, those nobody waited for included
   */
  public record Sent(long requests, long bytes) {}

  /** Returns the answers since this was asked before, or since the gateway started. */
  public Sent next() throws IOException {
    String lines = nextLines();
    long requests = 0;
    long bytes = 0;
    for (Matcher get = GET.matcher(lines); get.find(); ) {
      requests++;
      bytes += Long.parseLong(get.group(1));
    }
    return new Sent(requests, bytes);
  }

  /** Returns the lines since this was asked before, the answer to this question included. */
  String nextLines() throws IOException {
    // What was asked before it is answered, and so written, before it.
    String marker = "temptier-" + UUID.randomUUID();
    ask(marker);
    StringBuilder lines = new StringBuilder();
    Await.until(
        "the answers in " + file,
        DEADLINE,
        () -> {
          lines.append(read());
          return lines.indexOf(marker) >= 0;
        });
    return lines.toString();
  }

  private String read() throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      log.seek(position);
      byte[] bytes = new byte[Math.toIntExact(log.length() - position)];
      log.readFully(bytes);
      position += bytes.length;
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** Asks for a bucket that is not there. */
  private void ask(String bucket) throws IOException {
    try {
      WebPages.PLAIN.open(gateway.resolve("/" + bucket).toString()).close();
    } catch (FileNotFoundException e) {
      // That is its answer.
      return;
    }
  }
}
