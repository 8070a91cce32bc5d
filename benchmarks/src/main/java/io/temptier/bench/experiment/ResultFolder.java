// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a run's trials are kept, each in a file of its own that appears whole or not at all, so
 * that a run that was killed can be continued.
 */
public final class ResultFolder {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String RUN = "run.json";
  private static final String TRIALS = "trials";

  private final Path path;
  private final Run run;

  private ResultFolder(Path path, Run run) {
    this.path = path;
    this.run = run;
  }

  /** What is in {@value #RUN}. */
  private record Run(
      String command, String workload, ExperimentPlan plan, Map<String, String> facts) {}

  /**
   * Begins a run.
   *
   * @throws IOException when the folder has a run already, or cannot be written
   */
  public static ResultFolder create(Path path, ExperimentPlan plan, Map<String, String> facts)
      throws IOException {
    Files.createDirectories(path.resolve(TRIALS));
    requireNone(path);
    Workload work = plan.workload();
    String workload = work.getClass().getName();
    ResultFolder folder =
        new ResultFolder(path, new Run(work.command(), workload, plan, new LinkedHashMap<>(facts)));
    folder.write(path.resolve(RUN), folder.run);
    return folder;
  }

  /**
   * Checks that a run can be begun in a folder.
   *
   * @throws IOException when it has a run already
   */
  public static void requireNone(Path path) throws IOException {
    if (holdsRun(path)) {
      throw new IOException(
          path + " holds a run already: continue it with --resume " + path + ", or name another");
    }
  }

  private static boolean holdsRun(Path path) {
    return Files.exists(path.resolve(RUN));
  }

  /**
   * Takes up the run of that plan, or begins it.
   *
   * @throws IOException when the folder has a run of another plan
   */
  static ResultFolder createOrOpen(Path path, ExperimentPlan plan) throws IOException {
    if (!holdsRun(path)) {
      return create(path, plan, Map.of());
    }
    ResultFolder folder = open(path);
    if (!folder.plan().equals(plan)) {
      throw new IOException(path + " holds a run by other options: name another folder");
    }
    return folder;
  }

  /**
   * Takes up a run of that command.
   *
   * @throws IOException when there is none, or one of another command
   */
  static ResultFolder open(Path path, String command) throws IOException {
    ResultFolder folder = open(path);
    if (!folder.run.command().equals(command)) {
      throw new IOException(
          path + " holds a run of another command: continue it with bench " + folder.run.command());
    }
    return folder;
  }

  /**
   * Takes up a run of any command.
   *
   * @throws IOException when there is none
   */
  public static ResultFolder open(Path path) throws IOException {
    if (!holdsRun(path)) {
      throw new IOException(path + " holds no run: there is no " + RUN + " in it");
    }
    JsonNode tree = MAPPER.readTree(path.resolve(RUN).toFile());
    try {
      Class<? extends Workload> workload =
          Class.forName(tree.path("workload").asText()).asSubclass(Workload.class);
      ObjectMapper mapper =
          new ObjectMapper()
              .registerModule(new SimpleModule().addAbstractTypeMapping(Workload.class, workload));
      return new ResultFolder(path, mapper.readerFor(Run.class).<Run>readValue(tree));
    } catch (ClassNotFoundException e) {
      throw new IOException(
          path + " holds a run of another version: no class " + e.getMessage(), e);
    }
  }

  /** The folders within one that hold a run, in the order of their names. */
  public static List<Path> within(Path folder) throws IOException {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.filter(one -> Files.exists(one.resolve(RUN))).sorted().toList();
    }
  }

  /** Its folder. */
  public Path path() {
    return path;
  }

  /** What is to be measured. */
  public ExperimentPlan plan() {
    return run.plan();
  }

  /** Machine, versions, command, when it was begun. */
  public Map<String, String> facts() {
    return new LinkedHashMap<>(run.facts());
  }

  /** Notes one more fact, unless it is noted already. */
  void addFact(String what, String value) throws IOException {
    if (run.facts().putIfAbsent(what, value) == null) {
      write(path.resolve(RUN), run);
    }
  }

  /** A trial, if it was made. */
  Optional<Trial> trial(TrialId id) throws IOException {
    Path file = path.resolve(TRIALS).resolve(id.file());
    return Files.exists(file)
        ? Optional.of(MAPPER.readValue(file.toFile(), Trial.class))
        : Optional.empty();
  }

  /** Keeps a trial. */
  void add(Trial trial) throws IOException {
    write(path.resolve(TRIALS).resolve(trial.id().file()), trial);
  }

  /** All trials that were made, in the order of the plan. */
  public List<Trial> trials() throws IOException {
    List<Trial> trials = new ArrayList<>();
    for (Setting setting : plan().experiment().settings()) {
      for (TrialId id : TrialId.of(plan(), setting)) {
        trial(id).ifPresent(trials::add);
      }
    }
    return trials;
  }

  private void write(Path file, Object value) throws IOException {
    Path temp = file.resolveSibling("." + file.getFileName());
    MAPPER.writeValue(temp.toFile(), value);
    Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
