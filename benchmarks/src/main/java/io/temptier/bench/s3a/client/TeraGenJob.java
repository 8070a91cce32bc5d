// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Hadoop's TeraGen, in this JVM by the local job runner, with the committer that is configured. */
final class TeraGenJob {
  private static final String PROGRAM = "org.apache.hadoop.examples.terasort.TeraGen";
  private static final int ROW_BYTES = 100;
  private static final String COMMITTER = "fs.s3a.committer.name";
  private static final String FILE = "file";

  private TeraGenJob() {}

  static long run(FileSystem fs, Path folder, long rows, Random random) throws Exception {
    Path output = new Path(folder, "teragen-" + System.nanoTime());
    Tool program =
        Class.forName(PROGRAM).asSubclass(Tool.class).getDeclaredConstructor().newInstance();
    int code =
        ToolRunner.run(
            new Configuration(fs.getConf()),
            program,
            new String[] {Long.toString(rows), output.toString()});
    if (code != 0) {
      throw new IOException("TeraGen ended with " + code);
    }
    long bytes = 0;
    for (FileStatus file : fs.listStatus(output)) {
      if (file.getPath().getName().startsWith("part-")) {
        bytes += file.getLen();
      }
    }
    if (bytes != rows * ROW_BYTES) {
      throw new IOException(output + " has " + bytes + " bytes of " + rows * ROW_BYTES);
    }
    requireCommitter(fs, new Path(output, "_SUCCESS"));
    return bytes;
  }

  /** S3A's committers write what they did into the file that Hadoop's own leaves empty. */
  private static void requireCommitter(FileSystem fs, Path success) throws IOException {
    String committer = fs.getConf().get(COMMITTER, FILE);
    long length = fs.getFileStatus(success).getLen();
    if (committer.equals(FILE) != (length == 0)) {
      throw new IOException(
          success + " has " + length + " bytes: another committer than " + committer + " wrote it");
    }
  }
}
