// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.Workload.Testbed;
import io.temptier.bench.report.Figures;
import io.temptier.cli.CommandFailure;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;

/** Makes all trials of a run that are not made yet, on a testbed for each part. */
public final class ExperimentRun {
  private final ResultFolder results;
  private final HadoopRuntime runtime;
  private final PrintWriter out;
  private final Consumer<String> progress;
  private @Nullable Closeable shared;

  /**
   * A run.
   *
   * @param out hears of each trial and each fact once it is kept
   */
  ExperimentRun(
      ResultFolder results, HadoopRuntime runtime, PrintWriter out, Consumer<String> progress) {
    this.results = results;
    this.runtime = runtime;
    this.out = out;
    this.progress = progress;
  }

  /**
   * Makes them. Each testbed is gone before the next is made, and when this returns or throws.
   *
   * @throws IOException when a testbed fails; what fails of what is measured is a result
   */
  void run() throws IOException, InterruptedException {
    Plan plan = results.plan();
    CommandFailure.ifAny(plan.workload().hindrance(plan));
    try {
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
    } finally {
      if (shared != null) {
        shared.close();
      }
    }
  }

  private void make(Plan plan, Part part, List<TrialId> missing)
      throws IOException, InterruptedException {
    try (Testbed testbed = plan.workload().open(plan, part, this)) {
      for (TrialId id : missing) {
        if (testbed.runs(id)) {
          Trial trial = testbed.run(id);
          results.add(trial);
          tell(plan, trial);
        }
      }
    }
  }

  private void tell(Plan plan, Trial trial) {
    Double value = trial.figure(plan.compared().name());
    String failure = trial.counts() ? "" : "  " + trial.state();
    if (!trial.counts() && plan.workload().runsJobs()) {
      String output = trial.validated() ? "right" : "missing or wrong";
      failure += ", " + trial.failedTasks() + " failed tasks, output " + output;
    }
    String text = value == null ? "-" : Figures.text(value, 1);
    out.printf(
        Locale.ROOT, "  %-34s %7s %s%s%n", trial.id(), text, plan.compared().title(), failure);
    out.flush();
  }

  /** The one thing that all testbeds share: opened for the first, and closed after the last. */
  public <T extends Closeable> T shared(Class<T> type, CallableRaisingIOE<T> opener)
      throws IOException {
    Closeable there = shared;
    if (there == null) {
      there = opener.apply();
      shared = there;
    }
    return type.cast(there);
  }

  public HadoopRuntime runtime() {
    return runtime;
  }

  public void progress(String what) {
    progress.accept(what);
  }

  /** Notes what a reader of the report needs to know, unless it is noted already. */
  public void note(String what, String value) throws IOException {
    if (results.addFact(what, value)) {
      out.println("  " + what + ": " + value);
      out.flush();
    }
  }
}
