// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.SocketFactory;
import javax.net.ssl.SSLException;

/** An HTTP client that sends whatever it is given and shows all that comes back. */
final class RawHttp implements AutoCloseable {
  /** A read that takes longer fails the test. */
  private static final int READ_TIMEOUT_MILLIS = 300_000;

  private final Socket socket;
  private final InputStream in;

  private RawHttp(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
  }

  /**
   * A response.
   *
   * @param head status line and headers as sent, without line ends
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Response(List<String> head, byte[] body) {
    String statusLine() {
      return head.get(0);
    }

    int status() {
      return Integer.parseInt(statusLine().split(" ", 3)[1]);
    }

    /** First value of a header, whatever its case. */
    Optional<String> header(String name) {
      String prefix = name.toLowerCase(Locale.ROOT) + ":";
      return head.stream()
          .skip(1)
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
          .map(line -> line.substring(prefix.length()).strip())
          .findFirst();
    }

    String text() {
      return new String(body, ISO_8859_1);
    }

    List<WireSegment> segments() throws IOException {
      return WireSegment.parse(body);
    }
  }

  /**
   * Connects.
   *
   * @param receiveBytes size of the socket's receive buffer, 0 for the system's default
   */
  static RawHttp connect(int port, SocketFactory sockets, int receiveBytes) throws IOException {
    Socket socket = sockets.createSocket();
    try {
      if (receiveBytes > 0) {
        socket.setReceiveBufferSize(receiveBytes);
      }
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new RawHttp(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  Response exchange(RawRequest request) throws IOException {
    send(request);
    return read();
  }

  void send(RawRequest request) throws IOException {
    send(request.toBytes());
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** The next response; fails with EOFException when the server closes before its end. */
  Response read() throws IOException {
    List<String> head = readHead();
    Response response = new Response(head, new byte[0]);
    int length = Integer.parseInt(response.header("content-length").orElse("0"));
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("got " + body.length + " of " + length + " bytes after " + head);
    }
    return new Response(head, body);
  }

  /** Status line and headers of the next response. */
  List<String> readHead() throws IOException {
    List<String> head = new ArrayList<>();
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      head.add(line);
    }
    return head;
  }

  /** Up to so many bytes of what comes next; fewer only at the end. */
  byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  /** All until the server closes; a reset counts as an end. */
  byte[] readToEnd() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (SocketException | SSLException e) {
      // What came before it counts.
    } catch (IOException e) {
      throw new AssertionError("the connection did not end", e);
    }
    return all.toByteArray();
  }

  /** Whether the server ends the connection, without another byte, before the read time-out. */
  boolean closedByServer() {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true;
    } catch (IOException e) {
      throw new AssertionError("the connection did not end", e);
    }
  }

  /** Tells the server that nothing more is sent. */
  void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends the connection with a reset, as a killed client does. */
  void abort() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("closed after: " + line);
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
