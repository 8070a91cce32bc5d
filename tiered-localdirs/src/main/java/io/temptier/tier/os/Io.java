// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Methods that {@code Files} and {@code InputStream} themselves have from Java 11 on. */
public final class Io {
  private static final int BUFFER = 8192;

  private Io() {}

  /** The text of a file; throws when it is not UTF-8. */
  public static String readString(Path file) throws IOException {
    return readString(file, StandardCharsets.UTF_8);
  }

  /** The text of a file; throws when it is not of that charset. */
  public static String readString(Path file, Charset charset) throws IOException {
    return charset.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(file))).toString();
  }

  /** Writes a text in UTF-8; throws when UTF-8 cannot say it. */
  public static void writeString(Path file, String text, OpenOption... options) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    byte[] all = new byte[bytes.remaining()];
    bytes.get(all);
    Files.write(file, all, options);
  }

  public static byte[] readAllBytes(InputStream in) throws IOException {
    return readNBytes(in, Integer.MAX_VALUE);
  }

  /** The next bytes of a stream: fewer than asked for only at its end. */
  public static byte[] readNBytes(InputStream in, int most) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    int left = most;
    while (left > 0) {
      int read = in.read(buffer, 0, Math.min(buffer.length, left));
      if (read < 0) {
        break;
      }
      all.write(buffer, 0, read);
      left -= read;
    }
    return all.toByteArray();
  }
}
