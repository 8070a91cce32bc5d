// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.temptier.bench.shuffle.MapOutputs.Segment;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/**
 * A kept-alive connection that fetches as a reducer does, and checks every byte that it gets. Not
 * thread-safe, but may be closed from another thread.
 */
final class FetchConnection implements AutoCloseable {
  /** Room for the response's head and the shuffle header. */
  private static final int HEAD_BYTES = 4096;

  private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};

  private final SocketChannel channel;
  private final BenchJob job;
  private final SecretKey key;
  private final int port;
  private final ByteBuffer buffer;
  private final byte[] head = new byte[HEAD_BYTES];
  private final CRC32C crc = new CRC32C();

  FetchConnection(InetSocketAddress address, BenchJob job, int longest) throws IOException {
    this.job = job;
    this.key = job.key();
    this.port = address.getPort();
    this.buffer = ByteBuffer.allocateDirect(longest + HEAD_BYTES);
    this.channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /**
   * Fetches one segment.
   *
   * @return nanoseconds from the first byte of the request to the last of the reply
   * @throws IOException when the connection breaks, or the reply is not what a reducer would take;
   *     the message says what and of which segment
   */
  long fetch(Segment segment) throws IOException {
    String url =
        "/mapOutput?job="
            + job.id()
            + "&reduce="
            + segment.partition()
            + "&map="
            + segment.map()
            + "&keepAlive=true";
    String hash = SecureShuffleUtils.hashFromString(port + url, key);
    byte[] request =
        String.format(
                Locale.ROOT,
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s: %s\r\n%s: %s\r\n%s: %s\r\n\r\n",
                url,
                port,
                SecureShuffleUtils.HTTP_HEADER_URL_HASH,
                hash,
                ShuffleHeader.HTTP_HEADER_NAME,
                ShuffleHeader.DEFAULT_HTTP_HEADER_NAME,
                ShuffleHeader.HTTP_HEADER_VERSION,
                ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION)
            .getBytes(ISO_8859_1);
    try {
      long start = System.nanoTime();
      ByteBuffer out = ByteBuffer.wrap(request);
      while (out.hasRemaining()) {
        channel.write(out);
      }
      buffer.clear();
      int bodyStart = readHead();
      Map<String, String> headers = headers(bodyStart);
      long length = Long.parseLong(headers.getOrDefault("content-length", "-1"));
      if (!headers.getOrDefault("", "").startsWith("HTTP/1.1 200 ") || length < 0) {
        throw new IOException("the reply was " + new String(head, 0, bodyStart, ISO_8859_1).trim());
      }
      if (length > buffer.capacity() - bodyStart) {
        throw new IOException("the reply has " + length + " bytes");
      }
      buffer.limit(bodyStart + (int) length);
      while (buffer.hasRemaining()) {
        read();
      }
      long nanos = System.nanoTime() - start;
      check(segment, headers, hash, bodyStart);
      return nanos;
    } catch (IOException e) {
      throw new IOException(
          "fetching partition " + segment.partition() + " of " + segment.map() + ": " + e, e);
    }
  }

  /** Breaks the connection, under a fetch too, which then throws. */
  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Reads at least to the end of the response's head, and tells where the body starts. */
  private int readHead() throws IOException {
    int seen = 0;
    while (true) {
      read();
      int end = Math.min(buffer.position(), HEAD_BYTES);
      buffer.get(seen, head, seen, end - seen);
      for (int i = Math.max(0, seen - END_OF_HEAD.length + 1); i <= end - END_OF_HEAD.length; i++) {
        if (java.util.Arrays.equals(
            head, i, i + END_OF_HEAD.length, END_OF_HEAD, 0, END_OF_HEAD.length)) {
          return i + END_OF_HEAD.length;
        }
      }
      if (end == HEAD_BYTES) {
        throw new IOException("the head of the reply has more than " + HEAD_BYTES + " bytes");
      }
      seen = end;
    }
  }

  private void read() throws IOException {
    if (channel.read(buffer) < 0) {
      throw new EOFException("the handler closed the connection");
    }
  }

  /** Headers by name in lower case; the status line has none. */
  private Map<String, String> headers(int bodyStart) {
    Map<String, String> headers = new HashMap<>();
    for (String line : new String(head, 0, bodyStart, ISO_8859_1).split("\r\n", -1)) {
      int colon = headers.isEmpty() ? -1 : line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
      } else {
        headers.putIfAbsent("", line);
      }
    }
    return headers;
  }

  private void check(Segment segment, Map<String, String> headers, String hash, int bodyStart)
      throws IOException {
    expect("name", ShuffleHeader.DEFAULT_HTTP_HEADER_NAME, headers.get("name"));
    expect("version", ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION, headers.get("version"));
    SecureShuffleUtils.verifyReply(headers.getOrDefault("replyhash", ""), hash, key);
    int in = Math.min(HEAD_BYTES, buffer.limit());
    buffer.get(bodyStart, head, bodyStart, in - bodyStart);
    ByteArrayInputStream bytes = new ByteArrayInputStream(head, bodyStart, in - bodyStart);
    DataInputStream header = new DataInputStream(bytes);
    expect("map", segment.map(), WritableUtils.readStringSafely(header, HEAD_BYTES));
    expect("compressed length", (long) segment.partLength(), WritableUtils.readVLong(header));
    expect("raw length", segment.rawLength(), WritableUtils.readVLong(header));
    expect("partition", segment.partition(), WritableUtils.readVInt(header));
    int dataStart = in - bytes.available();
    expect("length", segment.partLength(), buffer.limit() - dataStart);
    crc.reset();
    crc.update(buffer.flip().position(dataStart));
    expect("CRC-32C", segment.crc(), (int) crc.getValue());
  }

  private static void expect(
      String what, Object wanted, @org.jspecify.annotations.Nullable Object got)
      throws IOException {
    if (!wanted.equals(got)) {
      throw new IOException("its " + what + " is " + got + " and must be " + wanted);
    }
  }
}
