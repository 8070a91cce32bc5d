// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.nio.file.Path;

/** Bytes and inodes of a file system, as it reports them. */
@AutoValue
public abstract class Capacity {
  /** Inodes are counted every ten seconds; a busy node makes tens of thousands in that time. */
  private static final long FEW_INODES = 200_000;

  public abstract long totalBytes();

  /** Bytes that an ordinary user may still write. */
  public abstract long usableBytes();

  /** Inodes it was made with; 0 when it makes them as needed or does not say. */
  public abstract long totalInodes();

  public abstract long freeInodes();

  public static Capacity of(long totalBytes, long usableBytes, long totalInodes, long freeInodes) {
    return new AutoValue_Capacity(totalBytes, usableBytes, totalInodes, freeInodes);
  }

  /** True if inodes may run out before somebody counts them again. */
  public boolean fewInodes() {
    return totalInodes() > 0 && freeInodes() < FEW_INODES;
  }

  /** True if no file can be made, however many bytes there are. */
  public boolean inodesGone() {
    return totalInodes() > 0 && freeInodes() <= 0;
  }

  /** Asks the kernel how full a dir's file system is. Tests put a double here. */
  @FunctionalInterface
  public interface Probe {
    /**
     * Capacity of the file system that holds {@code dir}. Cheap enough for every placement.
     *
     * @throws IOException when the dir is missing or its file system does not answer
     */
    Capacity probe(Path dir) throws IOException;
  }
}
