// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
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

  private record Run(Plan plan, Map<String, String> facts) {}

  public static ResultFolder create(Path path, Plan plan, Map<String, String> facts)
      throws IOException {
    Files.createDirectories(path.resolve(TRIALS));
    requireNone(path);
    ResultFolder folder = new ResultFolder(path, new Run(plan, new LinkedHashMap<>(facts)));
    folder.write(path.resolve(RUN), folder.run);
    return folder;
  }

  /** Checks that a run can be begun in a folder. */
  public static void requireNone(Path path) throws IOException {
    if (holdsRun(path)) {
      throw new IOException(
          path + " holds a run already: continue it with --resume " + path + ", or name another");
    }
  }

  private static boolean holdsRun(Path path) {
    return Files.exists(path.resolve(RUN));
  }

  static ResultFolder open(Path path, String label) throws IOException {
    ResultFolder folder = open(path);
    if (!folder.plan().label().equals(label)) {
      throw new IOException(
          path + " holds a run of " + folder.plan().label() + ", not of " + label);
    }
    return folder;
  }

  public static ResultFolder open(Path path) throws IOException {
    if (!holdsRun(path)) {
      throw new IOException(path + " holds no run: there is no " + RUN + " in it");
    }
    try {
      return new ResultFolder(path, MAPPER.readValue(path.resolve(RUN).toFile(), Run.class));
    } catch (JsonMappingException e) {
      throw new IOException(path + " holds a run of another version: " + e.getMessage(), e);
    }
  }

  /** The folders within one that hold a run, in the order of their names. */
  public static List<Path> within(Path folder) throws IOException {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.filter(one -> Files.exists(one.resolve(RUN))).sorted().toList();
    }
  }

  public Path path() {
    return path;
  }

  public Plan plan() {
    return run.plan();
  }

  /** Machine, versions, command, when it was begun. */
  public Map<String, String> facts() {
    return new LinkedHashMap<>(run.facts());
  }

  /**
   * Notes one more fact.
   *
   * @return false when it was noted already, and stays as it was
   */
  public boolean addFact(String what, String value) throws IOException {
    boolean added = run.facts().putIfAbsent(what, value) == null;
    if (added) {
      write(path.resolve(RUN), run);
    }
    return added;
  }

  public Optional<Trial> trial(TrialId id) throws IOException {
    Path file = path.resolve(TRIALS).resolve(id.file());
    return Files.exists(file)
        ? Optional.of(MAPPER.readValue(file.toFile(), Trial.class))
        : Optional.empty();
  }

  public void add(Trial trial) throws IOException {
    write(path.resolve(TRIALS).resolve(trial.id().file()), trial);
  }

  public List<Trial> trials() throws IOException {
    List<Trial> trials = new ArrayList<>();
    for (Part part : plan().parts()) {
      for (TrialId id : part.trials(plan().rounds())) {
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
