// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A node of one fast and one slow dir, not started yet, and its end. */
abstract class NodeManagerContract {
  @TempDir Path temp;
  @AutoClose NodeManagerBed node;
  Path nvme;
  Path disk;

  @BeforeEach
  final void makeNode() {
    nvme = temp.resolve("nvme");
    disk = temp.resolve("disk");
    node = new NodeManagerBed(temp, "[NVME]" + nvme, "[DISK]" + disk);
  }
}
