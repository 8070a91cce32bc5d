// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** A node of one fast and one slow dir, not started yet, and its end. */
abstract class NodeManagerContract {
  final NodeManagerBed node;
  final Path nvme;
  final Path disk;

  NodeManagerContract(Path temp) {
    nvme = temp.resolve("nvme");
    disk = temp.resolve("disk");
    node = new NodeManagerBed(temp, "[NVME]" + nvme, "[DISK]" + disk);
  }

  @AfterEach
  void stop() {
    node.close();
  }
}
