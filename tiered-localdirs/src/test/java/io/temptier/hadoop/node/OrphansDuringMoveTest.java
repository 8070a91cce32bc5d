// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What moves left, and what looks so. */
class OrphansDuringMoveTest {
  private static final String APPLICATION = "application_1_0001";
  private static final Path BELOW = Path.of("usercache", "ann", "appcache", APPLICATION);
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";
  private static final String ANNEX = "temptier-" + HOME;
  private static final byte[] CONTENT = new byte[300_000];

  static {
    new Random(7).nextBytes(CONTENT);
  }

  @TempDir Path temp;

  private final AtomicInteger deleted = new AtomicInteger();
  private LocalDir fast;
  private LocalDir slow;
  private Path block = Path.of("");

  @BeforeEach
  void dirs() throws IOException {
    fast = Layouts.dir(Layouts.root(temp.resolve("fast")), Medium.NVME);
    slow = Layouts.dir(Layouts.root(temp.resolve("slow")), Medium.DISK);
    for (LocalDir dir : List.of(fast, slow)) {
      Files.createDirectories(application(dir));
    }
    Files.createFile(application(fast).resolve(ColdBlocks.SHARED));
  }

  private static Path application(LocalDir dir) {
    return dir.path().resolve(BELOW);
  }

  /** Its home on either disk, its bytes on the fast one. */
  private void write(String home) throws IOException {
    Path folder = application(home.equals("fast") ? fast : slow).resolve(HOME).resolve("0a");
    block = Files.createDirectories(folder).resolve("shuffle_0_0_0.data");
    Path bytes = block;
    if (home.equals("slow")) {
      Path annex = Files.createDirectories(application(fast).resolve(ANNEX).resolve("0a"));
      bytes = annex.resolve("shuffle_0_0_0.data.1b4e28ba-2fa1-11d2-883f-0016d3cca427");
      Files.createSymbolicLink(block, bytes);
    }
    Files.write(bytes, CONTENT);
    Files.setLastModifiedTime(bytes, FileTime.fromMillis(1_000_000));
  }

  @ParameterizedTest
  @CsvSource({"fast", "slow"})
  void whatAMoverThatWasKilledLeftGoes(String home) throws Exception {
    write(home);
    List<Path> before = files();
    Path copies = Files.createDirectories(application(slow).resolve(ANNEX).resolve("0a"));
    Path copy = Files.write(copies.resolve("shuffle_0_0_0.data.1"), CONTENT);
    Path begun = block.resolveSibling(ColdBlocks.TEMPORARY_LINK + "1");
    Files.createSymbolicLink(begun, copy);
    Path sooner = block.resolveSibling(ColdBlocks.TEMPORARY_LINK + "2");
    Files.createSymbolicLink(sooner, copies.resolve("shuffle_0_0_0.data.2"));
    BlockOrphans orphans = orphans();
    rounds(orphans);
    assertEquals(before, files());
    assertEquals(3, deleted.get());
  }

  /** As {@code BlockHomes.keep} has it for an instant, in which its executor may stand still. */
  @Test
  void whatHasAnotherNameStays() throws IOException {
    write("fast");
    Path annex = Files.createDirectories(application(slow).resolve(ANNEX).resolve("0a"));
    Path other = Files.createDirectories(application(slow).resolve("blockmgr-2").resolve("07"));
    Path run = Files.write(other.resolve("temp_local_1"), CONTENT);
    Path second = Files.createLink(annex.resolve("shuffle_0_1_0.data.1"), run);
    BlockOrphans orphans = orphans();
    rounds(orphans);
    assertTrue(Files.exists(second));
    Files.delete(run);
    rounds(orphans);
    assertFalse(Files.exists(second));
  }

  private static void rounds(BlockOrphans orphans) {
    orphans.round();
    orphans.round();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(temp)) {
      return all.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  private BlockOrphans orphans() {
    return new BlockOrphans(
        tiers().layout(),
        () -> Map.of(APPLICATION, "ann"),
        ProcessTable.uidOf(temp),
        () -> System.currentTimeMillis() + 2 * BlockOrphans.AGE.toMillis(),
        deleted::addAndGet);
  }

  private NodeTiers tiers() {
    return Layouts.relieved(0, 0, fast, slow);
  }
}
