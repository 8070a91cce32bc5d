// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** A task in a JVM of its own, which looks a file up, and then places others when it is told to. */
final class TaskProcess implements AutoCloseable {
  private static final String KEY = "test.local.dirs";

  private final Process process;
  private final BufferedReader output;

  /** Begins with dirs in which it has looked a file up when this returns. */
  TaskProcess(String dirs) throws IOException {
    process = Programs.start(Programs.java(TaskProcess.class, dirs));
    output = process.inputReader();
    assertEquals("ready", output.readLine());
  }

  /** Places a file for each byte of standard input and says where. */
  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration();
    conf.set(KEY, args[0]);
    conf.set("temptier.reserve", "1m");
    TieredLocalDirAllocator allocator = new TieredLocalDirAllocator(KEY);
    allocator.ifExists("nothing", conf);
    System.out.println("ready");
    for (int i = 0; System.in.read() >= 0; i++) {
      String file = String.format("output/attempt_1_0001_m_%06d_0/file.out", i);
      System.out.println(allocator.getLocalPathForWrite(file, 10, conf));
    }
    // As YarnChild does.
    System.exit(0);
  }

  void ask() throws IOException {
    process.getOutputStream().write('x');
    process.getOutputStream().flush();
  }

  Path place() throws IOException {
    ask();
    return Path.of(String.valueOf(output.readLine()));
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Ends it as a task ends. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    assertEquals(0, process.onExit().join().exitValue());
  }
}
