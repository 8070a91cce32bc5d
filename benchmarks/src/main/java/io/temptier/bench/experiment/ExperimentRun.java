// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.CommandFailure;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.Opened;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes all trials of a run that are not made yet, on a testbed for each part. */
public final class ExperimentRun {
  private final ResultFolder results;
  private final HadoopRuntime runtime;
  private final Consumer<Trial> made;
  private final Consumer<String> noted;
  private final Consumer<String> progress;
  private final Map<Class<?>, Closeable> shared = new HashMap<>();
  private final Opened opened = new Opened();

  /**
   * A run.
   *
   * @param made hears of each trial once it is kept
   * @param noted hears of each fact once it is kept
   * @param progress hears what is being done
   */
  public ExperimentRun(
      ResultFolder results,
      HadoopRuntime runtime,
      Consumer<Trial> made,
      Consumer<String> noted,
      Consumer<String> progress) {
    this.results = results;
    this.runtime = runtime;
    this.made = made;
    this.noted = noted;
    this.progress = progress;
  }

  /**
   * Makes them. Each testbed is gone before the next is made, and when this returns or throws.
   *
   * @throws IOException when a testbed fails; what fails of what is measured is a result
   */
  public void run() throws IOException, InterruptedException {
    ExperimentPlan plan = results.plan();
    CommandFailure.ifAny(plan.hindrance());
    try {
      make(plan);
    } finally {
      opened.close();
    }
  }

  private void make(ExperimentPlan plan) throws IOException, InterruptedException {
    for (Part part : plan.parts()) {
      List<TrialId> missing = new ArrayList<>();
      for (TrialId id : part.trials(plan.rounds())) {
        if (results.trial(id).isEmpty()) {
          missing.add(id);
        }
      }
      if (!missing.isEmpty()) {
        make(plan, part, missing);
      }
    }
  }

  private void make(ExperimentPlan plan, Part part, List<TrialId> missing)
      throws IOException, InterruptedException {
    try (Testbed testbed = plan.open(part, this)) {
      for (TrialId id : missing) {
        if (testbed.runs(id)) {
          Trial trial = testbed.run(id);
          results.add(trial);
          made.accept(trial);
        }
      }
    }
  }

  /** Opens what testbeds share. */
  @FunctionalInterface
  public interface Opener<T> {
    /** Opens it. */
    T open() throws IOException;
  }

  /** What all testbeds share: opened for the first, and closed after the last. */
  public <T extends Closeable> T shared(Class<T> type, Opener<T> opener) throws IOException {
    Closeable there = shared.get(type);
    if (there == null) {
      there = opened.push(opener.open());
      shared.put(type, there);
    }
    return type.cast(there);
  }

  /** The Hadoop of this build. */
  public HadoopRuntime runtime() {
    return runtime;
  }

  /** Says what is being done. */
  public void progress(String what) {
    progress.accept(what);
  }

  /** Notes what a reader of the report needs to know, unless it is noted already. */
  public void note(String what, String value) throws IOException {
    if (results.addFact(what, value)) {
      noted.accept(what + ": " + value);
    }
  }
}
