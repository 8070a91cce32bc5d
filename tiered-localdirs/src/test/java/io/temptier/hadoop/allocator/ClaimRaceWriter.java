// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;

/**
 * One writer process of {@link ClaimRaceTest}: asks an allocator for a file of known size in the
 * fast dir and writes it in full, again and again, until the allocator sends it elsewhere.
 *
 * <p>Arguments: {@code stock} or {@code tiered}, local dirs with the fast one first, bytes a file,
 * label, milliseconds to hold each place before writing, and, where it is not to write at all but
 * to hold what it was promised, how many files to ask for, the first alone until it is told to go
 * on. Tells on standard output what it does.
 */
final class ClaimRaceWriter {
  private static final String KEY = "claim.race.dirs";

  private ClaimRaceWriter() {}

  public static void main(String[] args) throws Exception {
    LocalDirAllocator allocator =
        args[0].equals("stock") ? new LocalDirAllocator(KEY) : new TieredLocalDirAllocator(KEY);
    Configuration conf = new Configuration(false);
    conf.set(KEY, args[1]);
    String fast = args[1].split(",", 2)[0] + "/";
    long bytes = Long.parseLong(args[2]);
    long holdMillis = Long.parseLong(args[4]);
    System.out.println("ready");
    if (System.in.read() < 0) {
      return;
    }
    for (int i = 0; i < 10_000; i++) {
      Path file;
      try {
        file = allocator.getLocalPathForWrite(args[3] + "_spill_" + i + ".out", bytes, conf);
      } catch (DiskErrorException e) {
        break;
      }
      if (!file.toString().startsWith(fast)) {
        break;
      }
      System.out.println("placed");
      if (args.length > 5) {
        if (i == 0 && System.in.read() < 0) {
          return;
        }
        if (i + 1 < Integer.parseInt(args[5])) {
          continue;
        }
        break;
      }
      Thread.sleep(holdMillis);
      try {
        write(file, bytes);
      } catch (IOException e) {
        System.out.println("ENOSPC " + e.getMessage());
        break;
      }
      allocator.getLocalPathToRead(file.getName(), conf);
      System.out.println("wrote");
    }
    System.out.println("ended");
    if (args.length > 5) {
      // Until the test ends it.
      System.in.read();
      System.in.read();
    }
  }

  private static void write(Path file, long bytes) throws IOException {
    byte[] block = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(java.nio.file.Path.of(file.toString()))) {
      for (long left = bytes; left > 0; left -= block.length) {
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    }
  }
}
