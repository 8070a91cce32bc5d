// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;

/**
 * A task's attempt: places one file in a container's dirs and writes it. Prints what came of it.
 */
public final class AttemptProcess {
  private static final String KEY = "mapreduce.cluster.local.dir";

  private AttemptProcess() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(KEY, args[0]);
    FileSystem.getLocal(conf);
    long bytes = Long.parseLong(args[2]);
    Path file =
        Path.of(
            new LocalDirAllocator(KEY)
                .getLocalPathForWrite(args[1], bytes, conf)
                .toUri()
                .getPath());
    byte[] block = new byte[1 << 20];
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; left -= block.length) {
        ThreadLocalRandom.current().nextBytes(block);
        ByteBuffer data = ByteBuffer.wrap(block);
        while (data.hasRemaining()) {
          out.write(data);
        }
      }
      out.force(true);
      System.out.println("WROTE " + file);
    } catch (IOException e) {
      System.out.println("FAILED " + file + " " + e.getMessage());
    }
  }
}
