// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.cluster.JobResult;
import io.temptier.tier.Medium;
import java.util.Comparator;
import java.util.Map;

/** {@code report.json}: everything the report shows. */
final class DemoJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private DemoJson() {}

  /** The report as a tree. */
  static ObjectNode of(DemoResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("validated", result.validated());
    root.put("validation", result.validation());
    root.put("failedTasks", result.failedTasks());
    root.put("jobSeconds", result.sort().jobSeconds());
    ArrayNode tiers = root.putArray("tiers");
    result
        .tiers()
        .forEach((medium, tally) -> put(tiers.addObject().put("medium", medium.name()), tally));
    put(root.putObject("spilledDown"), result.spilledDown());
    ObjectNode plan = root.putObject("plan");
    DemoPlan p = result.plan();
    plan.put("rows", p.rows()).put("inputBytes", p.inputBytes()).put("nodes", p.nodes());
    if (p.capped()) {
      plan.put("fastCapBytes", p.fastCapBytes());
    } else {
      plan.putNull("fastCapBytes");
    }
    phases(root.putArray("phases"), result.phases());
    refusals(root.putArray("refusals"), result.refusals());
    ArrayNode jobs = root.putArray("jobs");
    for (JobResult job : result.jobs()) {
      job(jobs.addObject(), job);
    }
    root.set(
        "counters",
        MAPPER.valueToTree(result.sort().counters().getOrDefault("TempTier", Map.of())));
    samples(root, result);
    root.set("nodeManagers", MAPPER.valueToTree(result.nodeMetrics()));
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void phases(ArrayNode array, Map<Phase, Map<Medium, Tally>> phases) {
    phases.forEach(
        (phase, media) ->
            media.forEach(
                (medium, tally) ->
                    put(
                        array.addObject().put("phase", phase.label()).put("medium", medium.name()),
                        tally)));
  }

  private static void refusals(ArrayNode array, Map<Ledger.Refused, Tally> refusals) {
    refusals.entrySet().stream()
        .sorted(Comparator.comparingLong(e -> -e.getValue().files()))
        .forEach(
            e ->
                put(
                    array
                        .addObject()
                        .put("medium", e.getKey().medium().name())
                        .put("reason", e.getKey().reason().name())
                        .put("text", e.getKey().reason().text()),
                    e.getValue()));
  }

  private static void job(ObjectNode node, JobResult job) {
    node.put("name", job.name())
        .put("id", job.jobId())
        .put("state", job.state())
        .put("maps", job.maps())
        .put("reduces", job.reduces())
        .put("failedAttempts", job.failedAttempts())
        .put("killedAttempts", job.killedAttempts())
        .put("jobSeconds", job.jobSeconds())
        .put("clientSeconds", Math.round(job.seconds() * 10) / 10.0);
  }

  private static void samples(ObjectNode root, DemoResult result) {
    ArrayNode samples = root.putArray("samples");
    for (TierSample sample : result.samples()) {
      ObjectNode node =
          samples.addObject().put("seconds", Math.round(sample.seconds() * 10) / 10.0);
      for (Medium medium : Medium.values()) {
        if (sample.bytes().containsKey(medium)) {
          node.put(medium.name(), sample.bytes().get(medium));
        }
      }
    }
    ArrayNode marks = root.putArray("marks");
    result
        .marks()
        .forEach(
            (name, seconds) ->
                marks.addObject().put("job", name).put("seconds", Math.round(seconds * 10) / 10.0));
  }

  private static JsonNode put(ObjectNode node, Tally tally) {
    return node.put("files", tally.files()).put("bytes", tally.bytes());
  }
}
