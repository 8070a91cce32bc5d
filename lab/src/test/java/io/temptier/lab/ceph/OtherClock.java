// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * A gateway whose clock is off, as far as its answers tell: it stands in front of a real one and
 * writes another Date into the first answer of each connection. All else goes through untouched.
 */
final class OtherClock implements Closeable {
  private static final String DATE = "(?im)^Date: [^\r\n]*";
  private static final String END_OF_HEADERS = "\r\n\r\n";

  private final ServerSocket server;
  private final URI gateway;
  private final Duration ahead;
  private final List<Socket> sockets = new ArrayList<>();

  /**
   * Opens one.
   *
   * @param gateway the real one, of http
   * @param ahead how far its clock is to be ahead; may be negative
   */
  OtherClock(URI gateway, Duration ahead) throws IOException {
    this.gateway = gateway;
    this.ahead = ahead;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    run(this::accept);
  }

  /** Where it is. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    server.close();
    synchronized (sockets) {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = keep(server.accept());
      Socket store = keep(new Socket(InetAddress.getLoopbackAddress(), gateway.getPort()));
      run(() -> forward(client, store));
      run(() -> answer(store, client));
    }
  }

  private Socket keep(Socket socket) {
    synchronized (sockets) {
      sockets.add(socket);
    }
    return socket;
  }

  private static void forward(Socket client, Socket store) throws IOException {
    try (client;
        store) {
      client.getInputStream().transferTo(store.getOutputStream());
    }
  }

  private void answer(Socket store, Socket client) throws IOException {
    try (store;
        client) {
      InputStream in = store.getInputStream();
      OutputStream out = client.getOutputStream();
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      int read;
      while (!head.toString(StandardCharsets.ISO_8859_1).endsWith(END_OF_HEADERS)
          && (read = in.read()) >= 0) {
        head.write(read);
      }
      String told =
          DateTimeFormatter.RFC_1123_DATE_TIME.format(
              ZonedDateTime.now(ZoneOffset.UTC).plus(ahead));
      out.write(
          head.toString(StandardCharsets.ISO_8859_1)
              .replaceFirst(DATE, "Date: " + told)
              .getBytes(StandardCharsets.ISO_8859_1));
      in.transferTo(out);
    }
  }

  private static void run(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One side has closed, and so the other does.
                return;
              }
            },
            "other-clock");
    thread.setDaemon(true);
    thread.start();
  }

  private interface Work {
    void run() throws IOException;
  }
}
