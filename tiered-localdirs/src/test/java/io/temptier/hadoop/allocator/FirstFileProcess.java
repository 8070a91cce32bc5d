// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;

/**
 * A container's JVM whose first file comes when a disk hangs already: it looks for its work dir as
 * MapReduce's tasks do, writes a file, finds it again, and buffers a block as S3A does. Prints
 * where each is.
 */
public final class FirstFileProcess {
  private FirstFileProcess() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(args[0], args[1]);
    FileSystem.getLocal(conf);
    LocalDirAllocator dirs = new LocalDirAllocator(args[0]);
    try {
      System.out.println("WORK THERE " + dirs.getLocalPathToRead("work", conf));
    } catch (DiskErrorException e) {
      System.out.println("WORK " + dirs.getLocalPathForWrite("work", conf));
    }
    String name = "output/attempt_1_0001_m_000000_0/file.out";
    Path file = Path.of(dirs.getLocalPathForWrite(name, 1 << 20, conf).toUri().getPath());
    Files.write(file, new byte[1 << 20]);
    System.out.println("FILE " + file);
    System.out.println("FOUND " + dirs.getLocalPathToRead(name, conf));
    System.out.println("EXISTS " + dirs.ifExists(name, conf));
    File block = dirs.createTmpFileForWrite("s3ablock-0001-", 1 << 20, conf);
    System.out.println("BLOCK " + block);
    // Larger than any dir: what Hadoop's own part says is the answer.
    try {
      System.out.println("HUGE " + dirs.getLocalPathForWrite("huge", Long.MAX_VALUE / 4, conf));
    } catch (DiskErrorException e) {
      System.out.println("REFUSED " + e.getMessage());
    }
  }
}
