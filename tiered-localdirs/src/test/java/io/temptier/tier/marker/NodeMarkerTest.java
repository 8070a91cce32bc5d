// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.StableNames;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.policy.FillLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeMarkerTest {
  private static final int NOBODY = 65534;

  private final Path root;

  NodeMarkerTest(@TempDir Path root) throws IOException {
    this.root = root.toRealPath();
  }

  private static NodeTiers tiers(int policyBytes) {
    return NodeTiers.of(
        TierLayout.of(
            List.of(
                Tier.of(
                    Medium.NVME,
                    List.of(
                        LocalDir.of(Path.of("/nvme0/yarn"), Medium.NVME, 200L << 30, "tag in a=b"),
                        LocalDir.of(Path.of("/nvme1/yä rn"), Medium.NVME, 0, "x\\y\n#z")),
                    Reserve.ofBytes(20L << 30)),
                Tier.of(
                    Medium.DISK,
                    List.of(LocalDir.of(Path.of("/hdd0"), Medium.DISK, LocalDir.NO_CAP, "")),
                    Reserve.ofFraction(0.1 + 0.2)))),
        TierSettings.DEFAULT.toBuilder()
            .unknownSizeBytes(policyBytes)
            .limits(FillLimits.parse("user:*=70.5%,kind:OTHER=3.3%"))
            .largeSizeBytes(5)
            .build(),
        DemotionSettings.of(
            policyBytes != 7,
            DemotionSettings.Marks.of(2 / 3.0, true, 1 / 3.0, false),
            5L << 40,
            Duration.ofSeconds(77)));
  }

  private Path marker() {
    return root.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT);
  }

  @Test
  void readsBackWhatWasWritten() throws IOException {
    NodeMarker.write(root, tiers(7));
    assertEquals(Optional.of(tiers(7)), NodeMarker.read(root));
    NodeMarker.write(root, tiers(8));
    assertEquals(Optional.of(tiers(8)), NodeMarker.read(root));
    NodeTiers defaults = NodeTiers.of(TierLayout.of(List.of()), TierSettings.DEFAULT);
    NodeMarker.write(root, defaults);
    assertEquals(Optional.of(defaults), NodeMarker.read(root));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "version=3; version=2",
        "version=3; version=",
        "version=3; #",
        "tiers=2; tiers=3",
        "demotion.enabled=false; demotion.enabled=no",
        "demotion.bytesPerSecond=5497558138880; demotion.bytesPerSecond=0",
        "demotion.highGiven=true; demotion.highGiven=",
        "demotion.lowGiven=false; demotion.lower=false",
        "tiers=2; tiers=-1",
        "tiers=2; tiers=2000000000",
        "tier.0.medium=NVME; tier.0.medium=FLOPPY",
        "tier.0.dirs=2; tier.0.dirs=0",
        "tier.0.0.path=/nvme0/yarn; tier.0.0.path=nvme0/yarn",
        "tier.0.0.path=/nvme0/yarn; tier.0.0.path=/nvme0/../../etc",
        "tier.0.0.path=/nvme0/yarn; tier.0.0.path=/nvme0/\\u0000",
        "tier.0.0.capBytes=214748364800; tier.0.0.capBytes=-1",
        "tier.0.0.capBytes=214748364800; tier.0.0.capBytes=9223372036854775808",
        "tier.0.reserveBytes=21474836480; tier.0.reserveBytes=x",
        "tier.1.reserveFraction=0.30000000000000004; tier.1.reserveFraction=NaN",
        "tier.1.reserveFraction=0.30000000000000004; tier.1.reserveFraction=1.5",
        "unknownSizeBytes=7; unknownSizeBytes=7g",
      })
  void isNoneWhenAValueIsWrong(String right, String wrong) throws IOException {
    NodeMarker.write(root, tiers(7));
    String text = Files.readString(marker());
    assertTrue(text.contains("\n" + right + "\n"), text);
    Files.writeString(marker(), text.replace("\n" + right + "\n", "\n" + wrong + "\n"));
    assertEquals(Optional.empty(), NodeMarker.read(root));
  }

  @Test
  void isNoneWhenItIsHuge() throws IOException {
    NodeMarker.write(root, tiers(7));
    Files.writeString(marker(), Files.readString(marker()) + "#".repeat(2 << 20));
    assertEquals(Optional.empty(), NodeMarker.read(root));
  }

  /** Torn or damaged markers never throw, and never give tiers with wild values. */
  @ParameterizedTest
  @ValueSource(longs = {1, 31337, 20261121})
  void survivesDamage(long seed) throws IOException {
    NodeMarker.write(root, tiers(7));
    byte[] whole = Files.readAllBytes(marker());
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      Files.write(marker(), damaged);
      String where = "seed " + seed + ", round " + round;
      NodeMarker.read(root)
          .ifPresent(
              node -> {
                assertFalse(node.layout().tiers().isEmpty(), where);
                node.layout().dirs().forEach(d -> assertTrue(d.path().isAbsolute(), where));
                assertTrue(node.settings().unknownSizeBytes() >= 0, where);
              });
    }
  }

  @Test
  void isReadableByAllAndWritableByItsOwner() throws IOException {
    NodeMarker.write(root, tiers(7));
    assertEquals(
        "rwxr-xr-x",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(NodeMarker.DIR))));
    assertEquals(
        "rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(marker())));
  }

  @Test
  void doesNotFollowLinks() throws IOException {
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    NodeMarker.write(elsewhere, tiers(7));
    Path one = Files.createDirectory(root.resolve("one"));
    Files.createSymbolicLink(one.resolve(NodeMarker.DIR), elsewhere.resolve(NodeMarker.DIR));
    assertEquals(Optional.empty(), NodeMarker.read(one));
    Path two = Files.createDirectory(root.resolve("two"));
    Files.createDirectory(two.resolve(NodeMarker.DIR));
    Files.createSymbolicLink(
        two.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT),
        elsewhere.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT));
    assertEquals(Optional.empty(), NodeMarker.read(two));
    Path three = Files.createSymbolicLink(root.resolve("three"), elsewhere);
    assertEquals(Optional.of(tiers(7)), NodeMarker.read(three), "a root may be a link");
  }

  private static void chown(Path path, int uid) throws IOException {
    Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  @NeedsRoot
  void countsOnlyWhenTheOwnerOfTheRootOrRootWroteIt() throws IOException {
    NodeMarker.write(root, tiers(7));
    chown(marker(), NOBODY);
    assertEquals(Optional.empty(), NodeMarker.read(root), "a stranger's marker");
    chown(marker(), 0);
    chown(root.resolve(NodeMarker.DIR), NOBODY);
    assertEquals(Optional.empty(), NodeMarker.read(root), "a stranger's folder");
    chown(root, NOBODY);
    assertEquals(
        Optional.of(tiers(7)), NodeMarker.read(root), "root's marker in the owner's folder");
    chown(marker(), NOBODY);
    assertEquals(Optional.of(tiers(7)), NodeMarker.read(root), "the owner's marker");
    chown(marker(), NOBODY - 1);
    assertEquals(Optional.empty(), NodeMarker.read(root), "a third one's marker");
  }

  @Test
  void takesTheNearestOfNestedRoots() throws IOException {
    Path inner = Files.createDirectories(root.resolve("deep/inner"));
    NodeMarker.write(root, tiers(7));
    NodeMarker.write(inner, tiers(8));
    assertEquals(inner, NodeMarker.rootOf(inner.resolve("usercache/ann/appcache/application_1")));
    assertEquals(root, NodeMarker.rootOf(root.resolve("deep/other")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "usercache/eve",
        "usercache/eve/appcache",
        "usercache/eve/appcache/application_1_0001"
      })
  void passesOverMarkersThatAJobPlants(String planted) throws IOException {
    Path task = Files.createDirectories(root.resolve("usercache/eve/appcache/application_1_0001"));
    NodeMarker.write(root, tiers(7));
    NodeMarker.write(root.resolve(planted), tiers(8));
    assertEquals(root, NodeMarker.rootOf(task));
  }

  @ParameterizedTest
  @CsvSource({
    "/r/usercache/ann/appcache/app, /r",
    "/r/usercache/ann, /r",
    "/r/usercache, /r/usercache",
    "/r/x, /r/x",
    "/usercache/ann, /",
    "/r/usercache/a/appcache/b/usercache/c/appcache/d, /r",
    "/, /"
  })
  void stripsWithoutAMarker(Path taskDir, Path expected) {
    assertEquals(expected, NodeMarker.rootOf(taskDir));
  }

  /** A reader beside a writer sees one whole marker or the other. */
  @Test
  void isPublishedWhole() throws Exception {
    NodeMarker.write(root, tiers(1));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicBoolean failed = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              try {
                for (int i = 0; !stop.get(); i++) {
                  NodeMarker.write(root, tiers(1 + i % 2));
                }
              } catch (IOException e) {
                failed.set(true);
              }
            });
    writer.start();
    try {
      for (int i = 0; i < 500; i++) {
        long seen = NodeMarker.read(root).orElseThrow().settings().unknownSizeBytes();
        assertTrue(seen == 1 || seen == 2, () -> "saw " + seen);
      }
    } finally {
      stop.set(true);
      writer.join();
    }
    assertFalse(failed.get());
  }

  /** What processes of two versions on one node share. */
  @Test
  void namesStay() throws IOException {
    List<String> files =
        Stream.of(
                NodeMarker.LAYOUT + ": format " + MarkerCodec.VERSION,
                NodeMarker.OFF,
                NodeMarker.STATE,
                NodeMarker.DEVICES,
                NodeMarker.CLAIMS + "/",
                NodeMarker.DRAIN,
                "history",
                PlacementJournal.NODE_FILE)
            .map(name -> NodeMarker.DIR + "/" + name)
            .collect(Collectors.toCollection(ArrayList::new));
    files.add(PlacementJournal.APPLICATION_FILE);
    StableNames.check("files in local dirs", files, NodeMarkerTest.class);
  }
}
