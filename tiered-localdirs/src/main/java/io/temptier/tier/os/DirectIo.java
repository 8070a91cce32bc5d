// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * I/O past the page cache, which Java knows from 10 on. On a Java that does not know it all but
 * {@link #isKnown} throws {@link UnsupportedOperationException}.
 */
public final class DirectIo {
  private static final Optional<OpenOption> OPTION =
      optionOf("com.sun.nio.file.ExtendedOpenOption");

  private DirectIo() {}

  /** True if this Java knows it; the file system may still not. */
  public static boolean isKnown() {
    return OPTION.isPresent();
  }

  public static OpenOption option() {
    return OPTION.orElseThrow(
        () -> new UnsupportedOperationException("Java " + System.getProperty("java.version")));
  }

  /** Returns the bytes of which a file's requests must be a multiple. */
  public static long blockSize(Path file) throws IOException {
    FileStore store = Files.getFileStore(file);
    return ((Number) call(FileStore.class, "getBlockSize", store, new Class<?>[0])).longValue();
  }

  /** A buffer of its own whose memory begins at a multiple of {@code block}. */
  public static ByteBuffer aligned(int bytes, int block) throws IOException {
    // The slice ends at a multiple, too.
    int blocks = (bytes + block - 1) / block;
    ByteBuffer whole = ByteBuffer.allocateDirect((blocks + 1) * block);
    Class<?>[] one = {int.class};
    ByteBuffer aligned = (ByteBuffer) call(ByteBuffer.class, "alignedSlice", whole, one, block);
    aligned.limit(bytes);
    return aligned.slice();
  }

  /** The option of a class; empty where there is no such class. */
  static Optional<OpenOption> optionOf(String name) {
    try {
      return Optional.of((OpenOption) Class.forName(name).getField("DIRECT").get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  static Object call(
      Class<?> type, String name, Object target, Class<?>[] takes, Object... arguments)
      throws IOException {
    try {
      return Objects.requireNonNull(type.getMethod(name, takes).invoke(target, arguments));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new UnsupportedOperationException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException(e);
    }
  }
}
