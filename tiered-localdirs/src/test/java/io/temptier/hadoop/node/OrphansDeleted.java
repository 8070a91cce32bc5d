// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.tier.demotion.ColdBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a killed mover and a deleted link left is deleted. */
public final class OrphansDeleted extends BlockMove {
  private static final String SUB = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427/0a";

  private final Path orphan;
  private final Path copy;
  private @Nullable BlockOrphans orphans;

  OrphansDeleted(Disks disks) {
    super(disks);
    Path annex = application(slow).resolve("temptier-" + SUB);
    orphan = annex.resolve("shuffle_0_1_0.data.1");
    copy = annex.resolve("shuffle_0_2_0.data.2");
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    super.setUp(found);
    Files.createDirectories(orphan.getParent());
    for (Path file : new Path[] {orphan, copy}) {
      Files.writeString(file, file.toString());
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    }
    Path begun = application(fast).resolve(SUB).resolve(ColdBlocks.TEMPORARY_LINK);
    Files.createSymbolicLink(begun.resolveSibling(begun.getFileName() + "1"), copy);
    Files.createSymbolicLink(
        begun.resolveSibling(begun.getFileName() + "2"), copy.resolveSibling("not-begun"));
  }

  /** They are found. */
  @Override
  public void start() {
    super.start();
    orphans = orphans();
    orphans.round();
  }

  /** They go. */
  @Override
  public void act() {
    Objects.requireNonNull(orphans).round();
  }

  @Override
  public void check(Ending ending, Invariants found) {
    for (Path file : new Path[] {orphan, copy}) {
      if (Files.exists(file)) {
        found.problem("LEFT " + file);
      }
    }
  }
}
