// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Where a test of a contract works, and with what. */
interface ContractFolder {
  /** Bytes of one. */
  int MIB = 1 << 20;

  /** The file system that is held to the contract. */
  FileSystem fs();

  /** The test's own folder, not there at first. */
  Path base();

  /** Some three megabytes that are not to be changed. */
  byte[] data();

  /** What is called so in the test's folder. */
  default Path path(String name) {
    return new Path(base(), name);
  }

  /** A piece of the data. */
  default byte[] part(long from, int length) {
    return Arrays.copyOfRange(data(), (int) from, (int) from + length);
  }

  /** Writes a file into the test's folder, over one that is there. */
  default Path file(String name, byte[] bytes) throws IOException {
    Path file = path(name);
    try (FSDataOutputStream out = fs().create(file, true)) {
      out.write(bytes);
    }
    return file;
  }

  /** All that is in a file. */
  default byte[] read(Path file) throws IOException {
    byte[] bytes = new byte[(int) fs().getFileStatus(file).getLen()];
    try (FSDataInputStream in = fs().open(file)) {
      in.readFully(bytes);
      assertEquals(-1, in.read());
    }
    return bytes;
  }

  /** The files below a folder. */
  default List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs().listFiles(folder, true);
    while (all.hasNext()) {
      files.add(all.next().getPath());
    }
    return files;
  }
}
