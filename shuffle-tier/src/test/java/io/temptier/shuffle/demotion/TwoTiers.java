// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A node of a fast dir and a slow one. */
abstract class TwoTiers {
  static final long BYTES = 300_000;
  static final long MB = TestNode.MB;

  @TempDir Path temp;

  TestNode node;
  LocalDir fast;
  LocalDir slow;

  @BeforeEach
  final void twoTiers() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
  }

  /** Once moves that are under way are over. */
  @AfterEach
  void invariantsHold() throws Exception {
    for (int tries = 0; tries < 3_000 && !node.problems().isEmpty(); tries++) {
      Thread.sleep(20);
    }
    node.invariants.assertHold();
  }

  /** The folder of an output. */
  final Path attempt(LocalDir dir, int number) {
    return dir.path().resolve(TestNode.id(number).relativePath());
  }

  /** Leaves a link as of a move that was killed. */
  final void link(LocalDir from, LocalDir to, int number) throws IOException {
    Files.createSymbolicLink(
        attempt(from, number).resolve(Candidate.LINK), node.file(to, TestNode.id(number)));
  }

  /** Reads an output whole, whichever dir is looked into first. */
  final void assertWhole(MapOutputId id, long bytes) throws IOException {
    node.assertReadable(id, bytes, List.of(fast, slow), List.of(slow, fast));
  }
}
