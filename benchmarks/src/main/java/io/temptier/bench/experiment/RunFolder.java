// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.temptier.bench.experiment.Trial.TrialId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a run's trials are kept, each in a file of its own that appears whole or not at all, so
 * that a run that was cut off can be resumed.
 */
final class RunFolder {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** For plans, which are compared; facts stay in the order to show them. */
  private static final ObjectMapper SORTED =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private final Path file;
  private final Path trials;
  private final JsonNode plan;
  private final Map<String, String> facts;

  /**
   * Begins a run, or resumes the one in the folder.
   *
   * @param facts machine, versions, command; of a resumed run those of its begin are kept
   * @throws IOException when the folder holds a run that is not to be resumed, or by another plan
   */
  RunFolder(Path path, Plan plan, Map<String, String> facts, boolean resumes) throws IOException {
    this.file = path.resolve("run.json");
    this.trials = path.resolve("trials");
    this.plan = SORTED.valueToTree(plan);
    if (!Files.exists(file)) {
      Files.createDirectories(trials);
      this.facts = facts;
      write(file, new Run(this.plan, facts));
      return;
    }
    Run begun = MAPPER.readValue(file.toFile(), Run.class);
    this.facts = new LinkedHashMap<>(begun.facts);
    String remedy =
        "%s, with --resume %s in place of --report".formatted(begun.facts.get("command"), path);
    if (!resumes) {
      throw new IOException(path + " holds a run: name another folder, or resume it: " + remedy);
    }
    // As text: a number that was read may be of another type than one that was written.
    if (!begun.plan.toString().equals(this.plan.toString())) {
      throw new IOException(path + " holds a run by another plan. To resume it: " + remedy);
    }
  }

  private record Run(JsonNode plan, Map<String, String> facts) {}

  Map<String, String> facts() {
    return Collections.unmodifiableMap(facts);
  }

  /**
   * Notes one more fact.
   *
   * @return false when it was noted already, and stays as it was
   */
  boolean note(String what, String value) throws IOException {
    boolean added = facts.putIfAbsent(what, value) == null;
    if (added) {
      write(file, new Run(plan, facts));
    }
    return added;
  }

  Optional<Trial> trial(TrialId id) throws IOException {
    Path own = trials.resolve(id.file());
    return Files.exists(own)
        ? Optional.of(MAPPER.readValue(own.toFile(), Trial.class))
        : Optional.empty();
  }

  void add(Trial trial) throws IOException {
    write(trials.resolve(trial.id().file()), trial);
  }

  private static void write(Path file, Object value) throws IOException {
    Path temp = file.resolveSibling("." + file.getFileName());
    MAPPER.writeValue(temp.toFile(), value);
    Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
