// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;

/** Whether each thread that talks to the store can have a connection. */
final class PoolCheck implements SettingsCheck {
  private static final String CONNECTIONS = "fs.s3a.connection.maximum";
  private static final String THREADS = "fs.s3a.threads.max";
  private static final int DEFAULT_CONNECTIONS = 500;
  private static final int DEFAULT_THREADS = 96;

  @Override
  public Topic topic() {
    return Topic.SETTINGS;
  }

  @Override
  public List<Finding> check(Subject subject) {
    int connections = subject.conf().getInt(CONNECTIONS, DEFAULT_CONNECTIONS);
    int threads = subject.conf().getInt(THREADS, DEFAULT_THREADS);
    if (connections > threads) {
      return List.of();
    }
    return List.of(
        subject.finding(
            Severity.WARNING,
            CONNECTIONS,
            "There are "
                + threads
                + " threads ("
                + THREADS
                + ") and open streams hold connections"
                + " too: requests wait for one, and fail with \"Timeout waiting for connection from"
                + " pool\".",
            Paste.into(
                Subject.CORE_SITE,
                CONNECTIONS,
                String.valueOf(Math.max(DEFAULT_CONNECTIONS, 2 * threads)))));
  }
}
