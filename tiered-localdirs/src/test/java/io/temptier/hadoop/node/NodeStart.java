// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.fixtures.Trees;
import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.room.PublishedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A NodeManager sets a dir up, that is emptied, and set up again. */
public class NodeStart implements Protocol {
  private static final Map<String, Integer> MODES = Map.of("", 0755, NodeMarker.CLAIMS, 01777);

  final NodeTiers tiers;
  final List<RootUpkeep> roots;
  final Path fast;
  final Path slow;
  private boolean emptied;

  // So that what is due is measured each time.
  private final AtomicLong millis = new AtomicLong(1_000_000);

  public NodeStart(Disks disks) {
    fast = disks.fast().resolve("nvme");
    slow = disks.slow().resolve("disk");
    tiers =
        Layouts.tiers(
            Reserve.DEFAULT,
            TierSettings.DEFAULT,
            Layouts.dir(fast, Medium.NVME),
            Layouts.dir(slow, Medium.DISK));
    roots =
        tiers.layout().dirs().stream()
            .map(
                dir ->
                    new RootUpkeep(
                        dir,
                        tiers,
                        absent -> InodeCounts.of(100, 40),
                        () -> millis.addAndGet(RootUpkeep.INODES_MILLIS)))
            .toList();
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    leftovers(fast);
    Files.createDirectory(slow);
    found.allow(path -> MODES.containsKey(name(path)));
    found.allow(path -> List.of("usercache", "filecache", "nmPrivate").contains(name(path)));
  }

  /** Of a NodeManager that was killed when it was switched off, of this release and before. */
  private static void leftovers(Path root) throws IOException {
    Path ours = Files.createDirectories(root.resolve(NodeMarker.DIR));
    Files.writeString(ours.resolve(NodeMarker.OFF), "off\n");
    Files.writeString(ours.resolve(NodeMarker.OFF + ".tmp"), "of");
    Files.writeString(ours.resolve(NodeMarker.OFF + ".4711.tmp"), "of");
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  @Override
  public void act() throws IOException {
    rounds();
    List<Path> all = Trees.below(fast);
    Collections.reverse(all);
    for (Path path : all) {
      if (!path.equals(fast)) {
        Files.delete(path);
      }
    }
    emptied = true;
    rounds();
  }

  private void rounds() throws IOException {
    roots.get(0).publish();
    roots.get(0).measure();
  }

  /** A task of a container that outlived the NodeManager before. */
  @Override
  public void others() throws IOException {
    Claims task = new Claims(NodeMarker.claims(fast), System::currentTimeMillis);
    task.claim(1 << 20).ifPresent(Claim::release);
    task.drop();
    Optional<NodeTiers> read = NodeMarker.read(fast);
    if (read.isPresent() && !read.get().equals(tiers)) {
      throw new IOException("half a marker: " + read);
    }
  }

  @Override
  public void recover(Ending ending) throws IOException {
    rounds();
  }

  @Override
  public void check(Ending ending, Invariants found) throws IOException {
    if (!NodeMarker.read(fast).equals(Optional.of(tiers))) {
      found.problem("MARKER " + NodeMarker.read(fast) + " in " + fast);
    }
    Path ours = fast.resolve(NodeMarker.DIR);
    MODES.forEach((folder, mode) -> mode(ours.resolve(folder), mode, found));
    if (PublishedState.read(ours.resolve(NodeMarker.STATE)).isEmpty()) {
      found.problem("STATE of " + fast);
    }
    if (NodeMarker.whyOff(fast).isPresent()) {
      found.problem("OFF in " + fast);
    }
    // At a first start stock makes them.
    if (emptied || Files.exists(fast.resolve("nmPrivate"))) {
      mode(fast.resolve("nmPrivate"), 0700, found);
    }
  }

  private static void mode(Path path, int mode, Invariants found) {
    try {
      if (FileStamp.of(path).permissions() != mode) {
        found.problem("MODE " + Integer.toOctalString(FileStamp.of(path).permissions()) + path);
      }
    } catch (IOException e) {
      found.problem("MISSING " + path);
    }
  }

  /** A NodeManager starts with TempTier off where it was on; the next one has one dir on again. */
  public static final class NodeSwitchOff extends NodeStart {
    private static final String WHY = "temptier.enabled=false";

    public NodeSwitchOff(Disks disks) {
      super(disks);
    }

    @Override
    public void setUp(Invariants found) throws IOException {
      super.setUp(found);
      leftovers(slow);
      NodeMarker.write(fast, tiers);
      NodeMarker.write(slow, tiers);
    }

    @Override
    public void act() throws IOException {
      IOException failed = null;
      for (RootUpkeep root : roots) {
        try {
          NodeMarker.remove(root.dir().path(), WHY);
        } catch (IOException e) {
          failed = e;
        }
      }
      if (failed != null) {
        throw failed;
      }
    }

    @Override
    public void recover(Ending ending) throws IOException {
      roots.get(0).publish();
      NodeMarker.remove(slow, WHY);
    }

    @Override
    public void check(Ending ending, Invariants found) throws IOException {
      if (NodeMarker.read(fast).isEmpty() || NodeMarker.whyOff(fast).isPresent()) {
        found.problem("OFF in " + fast);
      }
      if (NodeMarker.read(slow).isPresent() || NodeMarker.whyOff(slow).isEmpty()) {
        found.problem("ON in " + slow);
      }
    }
  }
}
