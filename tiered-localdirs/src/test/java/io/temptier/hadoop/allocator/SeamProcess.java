// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;

/**
 * What a container's JVM does, by Hadoop's classes alone: the first file system, a file placed in
 * the dirs of a key, written, and found again. Prints where it is.
 */
public final class SeamProcess {
  /** The property that has it place its file when it may have no more threads. */
  public static final String NO_THREADS = "test.no-threads";

  private SeamProcess() {}

  /** What a JVM is to run, with MapReduce's dirs. */
  public static List<String> in(String dirs) {
    return List.of(SeamProcess.class.getName(), "mapreduce.cluster.local.dir", dirs);
  }

  public static void main(String[] args) throws Exception {
    String key = args[0];
    Configuration conf = new Configuration(false);
    conf.set(key, args[1]);
    for (int i = 2; i < args.length; i += 2) {
      conf.set(args[i], args[i + 1]);
    }
    // As in a task whose framework made its allocator before it asked for a file system.
    LocalDirAllocator early = new LocalDirAllocator(key);
    boolean before = early.getAllLocalPathsToRead("none", conf).iterator().hasNext();
    FileSystem.getLocal(conf);
    if (Boolean.getBoolean(NO_THREADS)) {
      takeAllThreads();
    }
    Path file =
        Path.of(
            new LocalDirAllocator(key)
                .getLocalPathForWrite("output/file.out", 1 << 20, conf)
                .toUri()
                .getPath());
    printClaims(file);
    Files.write(file, new byte[1 << 20]);
    org.apache.hadoop.fs.Path found = early.getLocalPathToRead("output/file.out", conf);
    System.out.println("PLACED " + file + " " + found.toUri().getPath().equals(file.toString()));
    for (FileSystem.Statistics statistics : FileSystem.getAllStatistics()) {
      if (statistics.getScheme().startsWith("temptier") && statistics.getWriteOps() > 0) {
        System.out.println(
            "COUNTED "
                + statistics.getScheme()
                + " "
                + statistics.getWriteOps()
                + " "
                + statistics.getBytesWritten());
      }
    }
    System.out.println("BEFORE " + before);
  }

  private static void takeAllThreads() {
    CompletableFuture<Void> never = new CompletableFuture<>();
    try {
      while (true) {
        Thread thread = new Thread(null, never::join, "idle", 64 << 10);
        thread.setDaemon(true);
        thread.start();
      }
    } catch (OutOfMemoryError e) {
      System.out.println("NO MORE THREADS");
    }
  }

  /** The claims on the local dir that a file lies in; there may be no class of ours here. */
  private static void printClaims(Path file) {
    for (Path dir = file; dir != null; dir = dir.getParent()) {
      File[] ledgers = dir.resolve(".temptier/claims").toFile().listFiles();
      for (File ledger : ledgers == null ? new File[0] : ledgers) {
        System.out.println("CLAIMED " + ledger.length() + " " + ledger.getName());
      }
    }
  }
}
