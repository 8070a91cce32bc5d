// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Clients of a cluster: each is heard line by line to its end, and ended when it is too late. */
final class ClientProcess {
  static final long NO_DEADLINE = Duration.ofDays(365).toSeconds();

  private ClientProcess() {}

  /** What is done about one that is too late, before it is ended by force. */
  @FunctionalInterface
  interface Late {
    void end(Process client) throws IOException, InterruptedException;
  }

  static int run(ProcessBuilder builder, long deadlineSeconds, Late late, Consumer<String> output)
      throws IOException, InterruptedException {
    Process client = builder.redirectErrorStream(true).start();
    Thread watch = new Thread(() -> watch(client, deadlineSeconds, late), "client-deadline");
    watch.setDaemon(true);
    watch.start();
    try (BufferedReader reader = client.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        output.accept(line);
      }
      return client.waitFor();
    } finally {
      watch.interrupt();
      client.destroyForcibly();
    }
  }

  private static void watch(Process client, long deadlineSeconds, Late late) {
    try {
      if (client.waitFor(deadlineSeconds, TimeUnit.SECONDS)) {
        return;
      }
      late.end(client);
    } catch (IOException e) {
      // Then its application goes when YARN misses it.
    } catch (InterruptedException e) {
      // It has ended by itself.
      return;
    }
    client.destroyForcibly();
  }
}
