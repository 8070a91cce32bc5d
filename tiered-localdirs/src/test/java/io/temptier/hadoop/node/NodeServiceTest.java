// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static io.temptier.hadoop.node.NodeService.Door.LISTENER;
import static io.temptier.hadoop.node.NodeService.Door.SHUFFLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.NodeManagerBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.Application;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The plug-ins of a NodeManager, which find one service by their copies of its configuration. */
class NodeServiceTest {
  @TempDir Path temp;

  private final Configuration conf = new YarnConfiguration();

  @BeforeEach
  void configure() throws IOException {
    conf.set("temptier.reserve", "1m");
    conf.set(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, "100");
    dirs("fast", "slow");
  }

  private void dirs(String fast, String slow) throws IOException {
    Files.createDirectories(temp.resolve(fast));
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, temp.resolve(fast) + "," + temp.resolve(slow));
    conf.set("temptier.local-dirs", "[NVME]" + temp.resolve(fast) + ",[DISK]" + temp.resolve(slow));
  }

  /** Each plug-in has a copy. */
  private NodeService enter(NodeService.Door door) {
    return NodeService.enter(door, new Configuration(conf));
  }

  @ParameterizedTest
  @EnumSource(NodeService.Door.class)
  void plugInsShareOneWhicheverComesFirstAndTheLastOneEndsIt(NodeService.Door first)
      throws Exception {
    NodeService.Door second = first == LISTENER ? SHUFFLE : LISTENER;
    NodeService service = enter(first);
    assertSame(service, enter(second));
    assertTrue(
        service.tiers().orElseThrow().layout().dirs().stream().allMatch(dir -> dir.pin() != null));
    service.leave(first);
    assertSame(service, enter(first));
    service.leave(first);
    service.leave(second);

    NodeService next = enter(first);
    assertNotSame(service, next);
    next.leave(first);
  }

  @Test
  void anotherNodeManagerInTheJvmHasItsOwn() throws Exception {
    NodeService one = enter(LISTENER);
    dirs("fast2", "slow2");
    NodeService other = enter(LISTENER);
    assertNotSame(one, other);
    assertSame(other, enter(SHUFFLE));
    other.leave(LISTENER);
    other.leave(SHUFFLE);
    dirs("slow", "fast");
    assertSame(one, enter(SHUFFLE), "in whatever order the dirs are listed");
    one.leave(LISTENER);
    one.leave(SHUFFLE);
  }

  /** One that was killed in a test, or that YARN started again, never left. */
  @Test
  void aPlugInThatComesAgainMeetsNoneThatIsStillThere() {
    NodeService old = enter(LISTENER);
    NodeService restarted = enter(LISTENER);
    assertNotSame(old, restarted);
    old.leave(LISTENER);
    assertSame(restarted, enter(SHUFFLE));
    restarted.leave(LISTENER);
    restarted.leave(SHUFFLE);
  }

  /**
   * Without log aggregation a NodeManager keeps an application until its logs are deleted, three
   * hours later.
   */
  @Test
  void anApplicationRunsUntilItBeginsToEndAndIsHereUntilItHas() {
    Map<ApplicationId, Application> applications = new ConcurrentHashMap<>();
    Map<String, String> running = new HashMap<>();
    Map<String, String> present = new HashMap<>();
    for (ApplicationState state : ApplicationState.values()) {
      ApplicationId id = ApplicationId.newInstance(1, 1 + applications.size());
      applications.put(id, NodeManagerBed.application("ann", state));
      if (state == ApplicationState.INITING || state == ApplicationState.RUNNING) {
        running.put(id.toString(), "ann");
      }
      if (state != ApplicationState.FINISHED) {
        present.put(id.toString(), "ann");
      }
    }
    NodeApplications node =
        new NodeApplications(NodeManagerBed.proxy(Context.class, method -> applications));
    assertEquals(running, node.running());
    assertEquals(present, node.present());
  }
}
