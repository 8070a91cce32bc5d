// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.temptier.bench.shuffle.BenchOutputs.Segment;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.jspecify.annotations.Nullable;

/**
 * A kept-alive connection that fetches as a reducer does, and checks every byte that it gets. Not
 * thread-safe, but may be closed from another thread.
 */
final class FetchConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  /** A longer name of a map is none. */
  private static final int NAME_BYTES = 1000;

  private final Socket socket;
  private final BenchJob job;
  private final SecretKey key;
  private final DataInputStream in;
  private final byte[] data;
  private final CRC32C crc = new CRC32C();

  /**
   * Connects to a handler on this machine.
   *
   * @param longest bytes of a segment that is to be fetched
   */
  FetchConnection(int port, BenchJob job, int longest) throws IOException {
    this.job = job;
    this.key = job.key();
    this.data = new byte[longest];
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
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
        "/mapOutput?job=%s&reduce=%d&map=%s&keepAlive=true"
            .formatted(job.id(), segment.partition(), segment.map());
    String hash = SecureShuffleUtils.hashFromString(socket.getPort() + url, key);
    byte[] request =
        String.format(
                Locale.ROOT,
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s: %s\r\n%s: %s\r\n%s: %s\r\n\r\n",
                url,
                socket.getPort(),
                SecureShuffleUtils.HTTP_HEADER_URL_HASH,
                hash,
                ShuffleHeader.HTTP_HEADER_NAME,
                ShuffleHeader.DEFAULT_HTTP_HEADER_NAME,
                ShuffleHeader.HTTP_HEADER_VERSION,
                ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION)
            .getBytes(ISO_8859_1);
    try {
      long start = System.nanoTime();
      socket.getOutputStream().write(request);
      Map<String, String> headers = readHead();
      expect("map", segment.map(), WritableUtils.readStringSafely(in, NAME_BYTES));
      expect("compressed length", (long) segment.partLength(), WritableUtils.readVLong(in));
      expect("raw length", segment.rawLength(), WritableUtils.readVLong(in));
      expect("partition", segment.partition(), WritableUtils.readVInt(in));
      in.readFully(data, 0, segment.partLength());
      long nanos = System.nanoTime() - start;
      expect("length", Integer.toString(length(segment)), headers.get("content-length"));
      expect("name", ShuffleHeader.DEFAULT_HTTP_HEADER_NAME, headers.get("name"));
      expect("version", ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION, headers.get("version"));
      SecureShuffleUtils.verifyReply(headers.getOrDefault("replyhash", ""), hash, key);
      crc.reset();
      crc.update(data, 0, segment.partLength());
      expect("CRC-32C", segment.crc(), (int) crc.getValue());
      return nanos;
    } catch (IOException e) {
      throw new IOException(
          "fetching partition " + segment.partition() + " of " + segment.map() + ": " + e, e);
    }
  }

  /** Breaks the connection, under a fetch too, which then throws. */
  @Override
  public void close() throws IOException {
    socket.close();
  }

  private Map<String, String> readHead() throws IOException {
    String status = readLine();
    if (!status.startsWith("HTTP/1.1 200 ")) {
      throw new IOException("the reply was " + status);
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, Math.max(0, colon)), line.substring(colon + 1).trim());
    }
    return headers;
  }

  /** Bytes of a reply with this segment alone. */
  private static int length(Segment segment) throws IOException {
    DataOutputBuffer header = new DataOutputBuffer();
    new ShuffleHeader(segment.map(), segment.partLength(), segment.rawLength(), segment.partition())
        .write(header);
    return header.getLength() + segment.partLength();
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  private static void expect(String what, Object wanted, @Nullable Object got) throws IOException {
    if (!wanted.equals(got)) {
      throw new IOException("its " + what + " is " + got + " and must be " + wanted);
    }
  }
}
