// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A load balancer before a gateway. It passes on what comes, but for what its rules make of the
 * head of a request and of an answer.
 */
final class Balancer implements Closeable {
  private static final String ANSWER = "HTTP/1.1 ";
  private static final String END = "\r\n\r\n";

  private static final Pattern EXPECT = Pattern.compile("(?im)^Expect: [^\r\n]*\r\n");
  private static final byte[] GO_ON =
      (ANSWER + "100 Continue" + END).getBytes(StandardCharsets.US_ASCII);

  /** The answer of a store that wants fewer requests. */
  static final String SLOW_DOWN =
      answer(
          "503 Slow Down",
          "application/xml",
          "<Error><Code>SlowDown</Code><Message>Please reduce your rate</Message></Error>");

  private final URI gateway;
  private final ServerSocket server;
  private final UnaryOperator<String> rule;
  private final UnaryOperator<String> answers;

  /**
   * Listens until it is closed.
   *
   * @param rule gives the head to pass on, or the whole answer to it, which begins with {@code
   *     HTTP/1.1}
   * @param answers gives what to pass on for an answer, a character a byte
   */
  Balancer(URI gateway, UnaryOperator<String> rule, UnaryOperator<String> answers)
      throws IOException {
    this.gateway = gateway;
    this.rule = rule;
    this.answers = answers;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  static String answer(String status, String type, String body) {
    return ANSWER
        + status
        + ("\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length())
        + ("\r\nConnection: close" + END)
        + body;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** Works on a thread that does not keep the JVM. */
  static void start(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (true) {
      try {
        Socket client = server.accept();
        start(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  /** One request: whoever wants another connects again. */
  private void serve(Socket client) {
    try (client;
        Socket behind = new Socket(gateway.getHost(), gateway.getPort())) {
      String head = rule.apply(head(client.getInputStream()));
      if (head.startsWith(ANSWER)) {
        client.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        client.shutdownOutput();
        // The rest of the request, or the client hears of a reset instead.
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
        return;
      }
      if (EXPECT.matcher(head).find()) {
        client.getOutputStream().write(GO_ON);
      }
      String once = EXPECT.matcher(head).replaceFirst("");
      once = once.replaceFirst("(?im)^Connection: [^\r\n]*\r\n", "");
      once = once.substring(0, once.length() - END.length()) + "\r\nConnection: close" + END;
      behind.getOutputStream().write(once.getBytes(StandardCharsets.ISO_8859_1));
      start(() -> pump(client, behind));
      String answer =
          new String(behind.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      client.getOutputStream().write(answers.apply(answer).getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException | UncheckedIOException e) {
      // As the other side ended it.
    }
  }

  private static void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // As the other side ended it.
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith(END)) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no request came");
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
