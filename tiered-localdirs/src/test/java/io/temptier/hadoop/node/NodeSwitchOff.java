// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;

/** A NodeManager starts with TempTier off where it was on; the next one has one dir on again. */
public final class NodeSwitchOff extends NodeStart {
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
