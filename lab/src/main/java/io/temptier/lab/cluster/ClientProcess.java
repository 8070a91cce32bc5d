// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client of a cluster that ran to its end.
 *
 * @param seconds wall clock
 * @param log the lines that it printed
 */
record ClientProcess(int exitCode, double seconds, List<String> log) {
  static final long NO_DEADLINE = Duration.ofDays(365).toSeconds();

  /** Ends a client that is too late, before it is ended by force. */
  @FunctionalInterface
  interface Late {
    void end(Process client, List<String> log) throws IOException, InterruptedException;
  }

  /** Runs one, which is heard line by line, and ended when it is too late. */
  static ClientProcess run(
      ProcessBuilder builder, long deadlineSeconds, Late late, Consumer<String> output)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    Process client = builder.redirectErrorStream(true).start();
    Thread watch = new Thread(() -> watch(client, deadlineSeconds, late, log), "client-deadline");
    watch.setDaemon(true);
    watch.start();
    try (BufferedReader reader = client.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        log.add(line);
        output.accept(line);
      }
      return new ClientProcess(client.waitFor(), (System.nanoTime() - start) / 1e9, log);
    } finally {
      watch.interrupt();
      client.destroyForcibly();
    }
  }

  private static void watch(Process client, long deadlineSeconds, Late late, List<String> log) {
    try {
      if (client.waitFor(deadlineSeconds, TimeUnit.SECONDS)) {
        return;
      }
      late.end(client, List.copyOf(log));
    } catch (IOException e) {
      // Then its application goes when YARN misses it.
    } catch (InterruptedException e) {
      // It has ended by itself.
      return;
    }
    client.destroyForcibly();
  }
}
