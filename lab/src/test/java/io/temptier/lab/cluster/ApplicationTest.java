// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ApplicationTest {
  @Test
  void anEntryIsRead() throws IOException {
    Application ended =
        application(
            """
            {"id": "application_17_0002", "name": "GRIDMIX000001", "state": "FINISHED",
             "finalStatus": "SUCCEEDED", "startedTime": 1000, "finishedTime": 43500}
            """);
    assertEquals("job_17_0002", ended.jobId());
    assertTrue(ended.ended());
    assertEquals(42.5, ended.seconds());
  }

  @Test
  void oneThatRunsHasNoTime() throws IOException {
    Application running =
        application(
            """
            {"id": "application_17_0002", "name": "x", "state": "RUNNING",
             "finalStatus": "UNDEFINED", "startedTime": 1000, "finishedTime": 0}
            """);
    assertFalse(running.ended());
    assertEquals(0, running.seconds());
  }

  private static Application application(String json) throws IOException {
    return Application.of(new ObjectMapper().readTree(json));
  }
}
