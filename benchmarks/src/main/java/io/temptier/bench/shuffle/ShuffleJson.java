// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.GoalJson;
import io.temptier.bench.testbed.DiskReads;

/** The result for programs. */
final class ShuffleJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ShuffleJson() {}

  /** The result as a tree. */
  static ObjectNode of(ShuffleResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode arms = root.putArray("arms");
    result.arms().forEach(arm -> arm(arms.addObject(), arm));
    GoalJson.put(root.putArray("goals"), result.goals());
    if (result.skipped() != null) {
      root.put("skipped", result.skipped());
    }
    root.set("handlers", MAPPER.valueToTree(result.handlers()));
    root.set("disks", MAPPER.valueToTree(result.disks()));
    ShufflePlan plan = result.plan();
    root.putObject("plan")
        .put("fetchers", plan.fetchers())
        .put("slowFetchers", plan.slowFetchers())
        .put("eventLoops", plan.eventLoops())
        .put("rounds", plan.rounds())
        .put("warmUpSeconds", plan.warmUp().toMillis() / 1e3)
        .put("measuredSeconds", plan.measured().toMillis() / 1e3)
        .put("segmentBytes", ShufflePlan.SEGMENT_BYTES)
        .put("outputBytesPerDisk", plan.outputBytes())
        .put("passBytes", plan.passBytes());
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void arm(ObjectNode node, Arm arm) {
    node.put("name", arm.name())
        .put("scenario", arm.scenario().label())
        .put("p50Millis", Figures.round(arm.p50Millis()))
        .put("p99Millis", Figures.round(arm.p99Millis()))
        .put("p999Millis", Figures.round(arm.p999Millis()))
        .put("mbPerSecond", Figures.round(arm.mbPerSecond()))
        .put("fetchesPerSecond", Figures.round(arm.fetchesPerSecond()))
        .put("cpuMicrosPerFetch", Figures.round(arm.cpuMicrosPerFetch()))
        .put("peakMemoryBytes", arm.peakMemoryBytes())
        .put("peakDirectBytes", arm.peakDirectBytes());
    if (arm.hasBeside()) {
      node.putObject("slow")
          .put("p50Millis", Figures.round(arm.medianBeside(Tally::p50Millis)))
          .put("p99Millis", Figures.round(arm.medianBeside(Tally::p99Millis)))
          .put("p999Millis", Figures.round(arm.medianBeside(Tally::p999Millis)))
          .put("mbPerSecond", Figures.round(arm.medianBeside(Tally::mbPerSecond)))
          .put("fetchesPerSecond", Figures.round(arm.medianBeside(Tally::fetchesPerSecond)));
    }
    DiskReads reads = arm.slowReads();
    if (reads != null) {
      node.putObject("slowDisk")
          .put("readRequests", reads.requests())
          .put("readBytes", reads.bytes());
    }
    ArrayNode rounds = node.putArray("rounds");
    for (Measurement round : arm.rounds()) {
      tally(rounds.addObject(), round.main()).put("peakMemoryBytes", round.peakMemoryBytes());
    }
  }

  private static ObjectNode tally(ObjectNode node, Tally tally) {
    return node.put("fetches", tally.fetches())
        .put("p50Millis", Figures.round(tally.p50Millis()))
        .put("p99Millis", Figures.round(tally.p99Millis()))
        .put("p999Millis", Figures.round(tally.p999Millis()))
        .put("mbPerSecond", Figures.round(tally.mbPerSecond()))
        .put("fetchesPerSecond", Figures.round(tally.fetchesPerSecond()));
  }
}
