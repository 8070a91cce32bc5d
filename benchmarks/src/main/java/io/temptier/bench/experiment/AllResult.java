// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Goal;
import io.temptier.bench.report.MachineFacts;
import io.temptier.cli.report.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came of all experiments. Not thread safe. */
final class AllResult {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TITLE = "TempTier, all experiments";

  private final List<ExperimentResult> results = new ArrayList<>();
  private final Map<String, String> failures = new LinkedHashMap<>();

  void add(ExperimentResult result) {
    results.add(result);
  }

  void failed(String name, String why) {
    failures.put(name, why);
  }

  Map<String, String> failures() {
    return failures;
  }

  /**
   * Writes it for people, programs and spreadsheets.
   *
   * @return the page
   */
  Path publish(Path folder) throws IOException {
    Path html = folder.resolve("report.html");
    Files.writeString(html, html());
    Files.writeString(folder.resolve("report.json"), json().toPrettyString() + "\n");
    Files.writeString(folder.resolve("trials.csv"), trials().csv());
    return html;
  }

  /** All results as a tree, and all goals once more. */
  ObjectNode json() {
    ObjectNode root = MAPPER.createObjectNode();
    Goal.put(root.putArray("goals"), goals());
    ArrayNode experiments = root.putArray("experiments");
    results.forEach(result -> experiments.add(ExperimentJson.of(result)));
    root.set("failed", MAPPER.valueToTree(failures));
    return root;
  }

  private List<Goal> goals() {
    return results.stream().flatMap(result -> result.goals().stream()).toList();
  }

  /** One page: first the goals of all, then a chapter for each experiment. */
  String html() throws IOException {
    Map<String, String> facts = results.isEmpty() ? Map.of() : results.get(0).facts();
    Page page = new Page(TITLE);
    page.head(
        TITLE,
        Goal.badge(goals(), failures.isEmpty(), MachineFacts.doubts(facts)),
        "Stock Hadoop and TempTier in turn on emulated worker nodes, HDFS on their HDDs. Caches"
            + " dropped before each trial, every output checked.");
    failures.forEach((name, why) -> page.note("Could not be run: " + name + ": " + why));
    page.section(
        "Goals",
        "Ratios of medians within one run.",
        Goal.table(goals()).markup("There are none."));
    results.forEach(result -> ExperimentReport.chapter(page, result));
    return page.facts(facts).html();
  }

  private DataTable trials() {
    List<String> heads = new ArrayList<>(List.of("experiment"));
    List<List<String>> rows = new ArrayList<>();
    for (ExperimentResult result : results) {
      DataTable trials = ResultTables.trials(result.trials(), List.of());
      if (rows.isEmpty()) {
        heads.addAll(trials.heads());
      }
      for (List<String> row : trials.rows()) {
        List<String> labelled = new ArrayList<>(List.of(result.plan().label()));
        labelled.addAll(row);
        rows.add(labelled);
      }
    }
    return new DataTable(heads, rows);
  }
}
