// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of files: all of them, after seeks, in ranges, by every policy. */
interface ReadContract extends ContractFolder {
  @Test
  default void whatIsCreatedIsRead() throws IOException {
    byte[] parts = new byte[11 * MIB + 1];
    new Random(2).nextBytes(parts);
    assertArrayEquals(parts, read(file("of-parts", parts)));
    assertArrayEquals(data(), read(file("small", data())));
    assertEquals(0, read(file("empty", new byte[0])).length);
    assertTrue(fs().getFileStatus(base()).isDirectory());
  }

  @Test
  default void whatIsNotThereOrAFolderIsNotOpened() throws IOException {
    assertThrows(FileNotFoundException.class, () -> fs().open(path("none")).read());
    fs().mkdirs(path("folder"));
    assertThrows(FileNotFoundException.class, () -> fs().open(path("folder")).read());
    FSDataInputStream closed = fs().open(file("file", part(0, 10)));
    closed.close();
    closed.close();
    assertThrows(IOException.class, closed::read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"whole-file", "sequential", "random", "vector", "adaptive", "columnar", "parquet"})
  default void everyPolicyReadsTheSame(String policy) throws Exception {
    Path file = file("file", data());
    FileStatus status = fs().getFileStatus(file);
    try (FSDataInputStream in =
        fs().openFile(file)
            .opt("fs.option.openfile.read.policy", policy)
            .opt("fs.option.openfile.length", Long.toString(status.getLen()))
            .build()
            .get(1, TimeUnit.MINUTES)) {
      byte[] bytes = new byte[data().length];
      in.readFully(bytes);
      assertArrayEquals(data(), bytes);
    }
  }

  @Test
  default void seeksGoAnywhereWithinTheFile() throws IOException {
    Random random = new Random(3);
    try (FSDataInputStream in = fs().open(file("file", data()))) {
      for (int i = 0; i < 40; i++) {
        int length = random.nextInt(1, 200_000);
        int at = random.nextInt(data().length - length);
        byte[] bytes = new byte[length];
        if (i % 2 == 0) {
          in.seek(at);
          assertEquals(at, in.getPos());
          in.readFully(bytes);
          assertEquals(at + length, in.getPos());
        } else {
          long before = in.getPos();
          in.readFully(at, bytes);
          assertEquals(before, in.getPos());
        }
        assertArrayEquals(part(at, length), bytes, "at " + at);
      }
    }
  }

  @Test
  default void seeksBeyondTheFileAreRefused() throws IOException {
    try (FSDataInputStream in = fs().open(file("file", part(0, 1000)))) {
      assertThrows(EOFException.class, () -> in.seek(-1));
      assertThrows(EOFException.class, () -> in.readFully(990, new byte[11]));
      assertEquals(-1, in.read(1000, new byte[1], 0, 1));
      in.seek(999);
      assertEquals(data()[999] & 0xff, in.read());
      assertEquals(-1, in.read());
      in.seek(0);
      assertEquals(data()[0] & 0xff, in.read());
    }
    try (FSDataInputStream in = fs().open(file("empty", new byte[0]))) {
      in.seek(0);
      assertEquals(-1, in.read());
    }
  }

  @Test
  default void rangesAreReadTogether() throws Exception {
    try (FSDataInputStream in = fs().open(file("file", data()))) {
      for (IntFunction<ByteBuffer> buffers :
          List.<IntFunction<ByteBuffer>>of(ByteBuffer::allocate, ByteBuffer::allocateDirect)) {
        // Next to each other, near, and far; not in their order.
        List<FileRange> ranges = new ArrayList<>();
        for (long at : new long[] {2 * MIB, 0, 1000, 5000, 300_000, data().length - 1000}) {
          ranges.add(FileRange.createFileRange(at, 1000));
        }
        in.readVectored(ranges, buffers);
        for (FileRange range : ranges) {
          ByteBuffer got = range.getData().get(1, TimeUnit.MINUTES);
          byte[] bytes = new byte[got.remaining()];
          got.get(bytes);
          assertArrayEquals(part(range.getOffset(), 1000), bytes, range::toString);
        }
      }
    }
  }

  @Test
  default void rangesBeyondTheFileAreRefused() throws IOException {
    try (FSDataInputStream in = fs().open(file("file", part(0, 1000)))) {
      List<FileRange> ranges = List.of(FileRange.createFileRange(500, 501));
      assertThrows(
          EOFException.class,
          () -> {
            in.readVectored(ranges, ByteBuffer::allocate);
            try {
              ranges.get(0).getData().get(1, TimeUnit.MINUTES);
            } catch (java.util.concurrent.ExecutionException e) {
              throw e.getCause();
            }
          });
    }
  }
}
