// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on the loopback address for daemons whose port others must know before they start.
 * They lie below the range that the kernel hands to outgoing connections, so only another server
 * can take one between this look and the daemon's bind; the cluster then starts anew with others.
 */
public final class LoopbackPorts {
  private static final int SPAN = 10_000;
  private static final int LOWEST = 2_000;
  private static final int TRIES = 1_000;
  private static final int USUAL_EPHEMERAL = 32_768;

  private final Set<Integer> taken = new HashSet<>();
  private final int below = lowestEphemeral();

  /** A port that is free now and was not handed out before. */
  public int next() {
    for (int i = 0; i < TRIES; i++) {
      int low = Math.max(LOWEST, below - SPAN);
      int port = below > LOWEST ? ThreadLocalRandom.current().nextInt(low, below) : 0;
      int bound = bind(port);
      if (bound > 0 && taken.add(bound)) {
        return bound;
      }
    }
    throw new IllegalStateException("No free port found on 127.0.0.1 in " + TRIES + " tries");
  }

  /** The port that was bound and released again, or 0 when somebody has it. */
  private static int bind(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
      return socket.getLocalPort();
    } catch (IOException e) {
      return 0;
    }
  }

  private static int lowestEphemeral() {
    Path range = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    try (Scanner numbers = new Scanner(range, StandardCharsets.US_ASCII)) {
      return numbers.nextInt();
    } catch (IOException e) {
      return USUAL_EPHEMERAL;
    }
  }
}
