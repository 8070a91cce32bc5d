// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.tez;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** The rows of {@link RowsClient}'s DAG, which are the same in every run. For use by one thread. */
public final class Rows {
  static final int KEY_BYTES = 8;
  static final int ROW_BYTES = 100;

  private final byte[] value = new byte[ROW_BYTES - KEY_BYTES];
  private byte[] key = new byte[KEY_BYTES];

  Rows() {}

  /** Makes a row, which is there until the next. */
  void make(long number) {
    // The first number of a seed's is its own: no key is there twice.
    SplittableRandom random = new SplittableRandom(number);
    key = ByteBuffer.allocate(KEY_BYTES).putLong(random.nextLong()).array();
    random.nextBytes(value);
  }

  byte[] key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  /** A number of one row; those of all rows add up to the same in any order. */
  static long checksum(byte[] key, byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(key);
    crc.update(value);
    return crc.getValue();
  }

  public static long checksum(long rows) {
    Rows all = new Rows();
    long sum = 0;
    for (long row = 0; row < rows; row++) {
      all.make(row);
      sum += checksum(all.key(), all.value());
    }
    return sum;
  }
}
