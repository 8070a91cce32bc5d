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
package io.temptier.shuffle;

import io.temptier.hadoop.Json;
import io.temptier.shuffle.demotion.Demoter;
import io.temptier.shuffle.demotion.DemotionCounter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The texts of {@link TempTierShuffleInfoMXBean}. Does no I/O. Safe for use by many threads. */
final class ShuffleReport implements TempTierShuffleInfoMXBean {
  /** Outputs that are told of: about a megabyte of text. */
  static final int MOST_OUTPUTS = 10_000;

  private final Lanes lanes;
  private final FetchTracker tracker;
  private final Demoter demoter;

  ShuffleReport(Lanes lanes, FetchTracker tracker, Demoter demoter) {
    this.lanes = lanes;
    this.tracker = tracker;
    this.demoter = demoter;
  }

  @Override
  public String getLanes() {
    return Json.of(lanes.all().stream().map(ShuffleReport::lane).toList());
  }

  private static Map<String, Object> lane(DeviceLane lane) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("device", lane.name());
    members.put("medium", lane.medium());
    members.put("depth", lane.depth());
    members.put("running", lane.running());
    members.put("waiting", lane.waiting());
    return members;
  }

  @Override
  public String getOutputs() {
    return Json.of(
        tracker.fractions().entrySet().stream()
            .sorted(
                Map.Entry.<MapOutputId, Double>comparingByValue()
                    .thenComparing(output -> output.getKey().attempt(), Comparator.naturalOrder()))
            .limit(MOST_OUTPUTS)
            .map(ShuffleReport::output)
            .toList());
  }

  private static Map<String, Object> output(Map.Entry<MapOutputId, Double> fetched) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("attempt", fetched.getKey().attempt());
    members.put("fetched", fetched.getValue());
    return members;
  }

  @Override
  public String getDemotion() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("off", demoter.offReason().orElse(null));
    for (DemotionCounter counter : DemotionCounter.values()) {
      members.put(counter.attribute(), demoter.get(counter));
    }
    return Json.of(members);
  }
}
