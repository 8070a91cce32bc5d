// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LoopbackPortsTest {
  @Test
  void handsOutDifferentPortsThatCanBeBound() throws IOException {
    LoopbackPorts ports = new LoopbackPorts();
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      int port = ports.next();
      assertTrue(seen.add(port), "port " + port + " was handed out twice");
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertEquals(port, socket.getLocalPort());
      }
    }
  }
}
