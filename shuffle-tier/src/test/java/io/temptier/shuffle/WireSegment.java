// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/**
 * A partition of a map output, as it goes over the wire.
 *
 * @param compressedLength the header's length of the bytes that follow it
 * @param rawLength the header's length when decompressed
 */
public record WireSegment(
    String map, long compressedLength, long rawLength, int reduce, ByteBuffer bytes) {
  private static final int MAX_MAP_ID = 1000;

  /** Everything a response body holds; fails when it ends within a segment. */
  static List<WireSegment> parse(byte[] body) throws IOException {
    List<WireSegment> segments = new ArrayList<>();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(body));
    while (in.available() > 0) {
      String map = WritableUtils.readStringSafely(in, MAX_MAP_ID);
      long compressed = WritableUtils.readVLong(in);
      long raw = WritableUtils.readVLong(in);
      int reduce = WritableUtils.readVInt(in);
      byte[] bytes = new byte[(int) compressed];
      in.readFully(bytes);
      segments.add(new WireSegment(map, compressed, raw, reduce, ByteBuffer.wrap(bytes)));
    }
    return segments;
  }

  /** A whole response body. */
  public static byte[] onTheWire(List<WireSegment> segments) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    segments.forEach(segment -> body.writeBytes(segment.onTheWire()));
    return body.toByteArray();
  }

  /** Header and bytes. */
  public byte[] onTheWire() {
    DataOutputBuffer out = new DataOutputBuffer();
    try {
      new ShuffleHeader(map, compressedLength, rawLength, reduce).write(out);
      for (int i = 0; i < bytes.limit(); i++) {
        out.write(bytes.get(i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Arrays.copyOf(out.getData(), out.getLength());
  }

  @Override
  public String toString() {
    return "%s for reduce %d: %d bytes, %d raw, hash %x"
        .formatted(map, reduce, compressedLength, rawLength, bytes.hashCode());
  }
}
