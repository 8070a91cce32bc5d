/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
