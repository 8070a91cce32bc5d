// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A part of the contract: starts handlers, and stops them after each test. */
abstract class ShuffleContract {
  @TempDir Path folder;

  private final List<ShuffleServer> servers = new ArrayList<>();

  /**
   * Whether ours is held against the contract, or stock's. Where ours does better, a test says why.
   */
  static boolean tiered = true;

  /** One that is not inited yet. */
  static ShuffleHandler handler(boolean ours) {
    return ours ? new LaneShuffleHandler() : new ShuffleHandler();
  }

  /** A handler with default settings. */
  final ShuffleServer start() throws IOException {
    return start(Map.of());
  }

  /** A handler with these settings on top of the defaults. */
  final ShuffleServer start(Map<String, String> settings) throws IOException {
    ShuffleServer server = ShuffleServer.start(handler(tiered), folder, null, settings);
    servers.add(server);
    return server;
  }

  @AfterEach
  final void stopServers() {
    servers.forEach(ShuffleServer::close);
  }
}
