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
package io.temptier.bench.experiment;

import io.temptier.bench.testbed.DiskTraffic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One run of an arm, and what was seen of it.
 *
 * @param id which
 * @param succeeded whether all of its measured jobs did
 * @param state how they ended, as the JobHistoryServer says
 * @param validated whether the workload found its output right
 * @param seconds what is compared: {@link Outcome#seconds}
 * @param clientSeconds of the whole measurement
 * @param failedTasks attempts of tasks that failed
 * @param cpuSeconds work of all cores meanwhile, or of the tasks on a cluster of the user's
 * @param written bytes written to each disk
 * @param read bytes read from each disk
 * @param counters of group TempTier
 * @param figures of the workload's own: {@link Outcome#figures}
 * @param load of the machine before it
 * @param moments what was seen, second by second
 */
public record Trial(
    TrialId id,
    boolean succeeded,
    String state,
    boolean validated,
    double seconds,
    double clientSeconds,
    int failedTasks,
    double cpuSeconds,
    Map<String, Long> written,
    Map<String, Long> read,
    Map<String, Long> counters,
    Map<String, Double> figures,
    String load,
    List<Moment> moments) {
  public Trial {
    written = new TreeMap<>(written);
    read = new TreeMap<>(read);
    counters = new TreeMap<>(counters);
    figures = new TreeMap<>(figures);
    moments = List.copyOf(moments);
  }

  /**
   * A trial of such an outcome.
   *
   * @param wallSeconds of the whole measurement
   * @param cpuSeconds of work meanwhile
   * @param traffic of each disk meanwhile, as far as it was seen
   */
  static Trial of(
      TrialId id,
      Outcome outcome,
      boolean validated,
      double wallSeconds,
      double cpuSeconds,
      Map<String, DiskTraffic> traffic,
      String load,
      List<Moment> moments) {
    Map<String, Long> written = new HashMap<>();
    Map<String, Long> read = new HashMap<>();
    traffic.forEach(
        (disk, done) -> {
          written.put(disk, done.writtenBytes());
          read.put(disk, done.readBytes());
        });
    return new Trial(
        id,
        outcome.succeeded(),
        outcome.state(),
        validated,
        outcome.seconds(),
        wallSeconds,
        outcome.failedTasks(),
        cpuSeconds,
        written,
        read,
        outcome.counters(),
        outcome.figures(),
        load,
        moments);
  }

  /** Whether its time may be compared. */
  public boolean counts() {
    return succeeded && validated;
  }

  /** {@code (user + sys) / real}. */
  public double cpuPerReal() {
    return clientSeconds == 0 ? 0 : cpuSeconds / clientSeconds;
  }

  /** The most temporary data seen at once. */
  public long peakTempBytes() {
    return moments.stream().mapToLong(moment -> moment.tempBytes().all()).max().orElse(0);
  }

  /** The most temporary data seen at once on the fast disk. */
  public long peakFastBytes() {
    return moments.stream().mapToLong(moment -> moment.tempBytes().fast()).max().orElse(0);
  }
}
