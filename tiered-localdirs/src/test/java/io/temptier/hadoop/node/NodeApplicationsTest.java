// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.hadoop.NodeManagerBed;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.Application;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;
import org.junit.jupiter.api.Test;

class NodeApplicationsTest {
  /**
   * Without log aggregation a NodeManager keeps it until its logs are deleted, three hours later.
   */
  @Test
  void anApplicationThatIsKeptForItsLogsHasLeft() {
    ConcurrentMap<ApplicationId, Application> applications = new ConcurrentHashMap<>();
    Map<String, String> expected = new HashMap<>();
    for (ApplicationState state : ApplicationState.values()) {
      ApplicationId id = ApplicationId.newInstance(1, 1 + applications.size());
      applications.put(id, NodeManagerBed.application("ann", state));
      if (state != ApplicationState.FINISHED) {
        expected.put(id.toString(), "ann");
      }
    }
    Context context = NodeManagerBed.proxy(Context.class, method -> applications);
    assertEquals(expected, new NodeApplications(context).present());
  }
}
