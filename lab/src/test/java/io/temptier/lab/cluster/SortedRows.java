// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** TeraSort's rows: 100 bytes each, the first ten of them the key. */
final class SortedRows {
  private static final int ROW_BYTES = 100;
  private static final int KEY_BYTES = 10;

  private SortedRows() {}

  static String digest(InputStream in) throws IOException {
    MessageDigest sha256 = sha256();
    try (in) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        sha256.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  /** The digest of the same rows in the order of their keys, sorted in memory. */
  static String digestSorted(InputStream in) throws IOException {
    byte[] rows;
    try (in) {
      rows = in.readAllBytes();
    }
    Integer[] order = new Integer[rows.length / ROW_BYTES];
    Arrays.setAll(order, row -> row);
    Arrays.sort(
        order,
        (a, b) ->
            Arrays.compareUnsigned(
                rows,
                a * ROW_BYTES,
                a * ROW_BYTES + KEY_BYTES,
                rows,
                b * ROW_BYTES,
                b * ROW_BYTES + KEY_BYTES));
    MessageDigest sha256 = sha256();
    for (int row : order) {
      sha256.update(rows, row * ROW_BYTES, ROW_BYTES);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
