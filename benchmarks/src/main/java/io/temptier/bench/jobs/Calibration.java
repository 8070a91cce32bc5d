// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.node.NodeProfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The search for the HDDs' requests per second at which the cores are as busy as published while
 * temporary data is on HDDs. The more requests, the less the cores wait: first the number is
 * doubled or halved until the published share lies between two, then the geometric mean of these is
 * tried.
 */
public record Calibration(List<Step> steps) {
  /** So far from the published share is near enough. */
  private static final double BAND = 0.05;

  /** Less is a floppy disk, more no HDD. */
  private static final int LEAST_IOPS = 5;

  private static final int MOST_IOPS = 640;
  private static final int MOST_STEPS = 6;

  /**
   * What was seen of the baseline at one speed of the HDDs.
   *
   * @param iops requests per second of each HDD
   * @param cpu the share of all cores that was at work, 0 to 1
   */
  public record Step(int iops, double cpu, double seconds) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%d IOPS: %.0f %% of the cores in %.0f s", iops, 100 * cpu, seconds);
    }
  }

  public Calibration {
    steps = List.copyOf(steps);
  }

  /** What to try next; empty when it is found, or there is nothing to be gained by going on. */
  OptionalInt next(int first) {
    if (steps.isEmpty()) {
      return OptionalInt.of(first);
    }
    if (found() || steps.size() >= MOST_STEPS) {
      return OptionalInt.empty();
    }
    OptionalInt below =
        steps.stream()
            .filter(step -> step.cpu() < NodeProfile.BASELINE_CPU)
            .mapToInt(Step::iops)
            .max();
    OptionalInt above =
        steps.stream()
            .filter(step -> step.cpu() >= NodeProfile.BASELINE_CPU)
            .mapToInt(Step::iops)
            .min();
    int next;
    if (below.isEmpty()) {
      next = Math.max(LEAST_IOPS, above.orElse(first) / 2);
    } else if (above.isEmpty()) {
      next = Math.min(MOST_IOPS, below.orElse(first) * 2);
    } else {
      next = (int) Math.round(Math.sqrt((double) below.orElse(first) * above.orElse(first)));
    }
    return steps.stream().anyMatch(step -> step.iops() == next)
        ? OptionalInt.empty()
        : OptionalInt.of(next);
  }

  /**
   * Measures the baseline of a plan's first setting at one speed of the HDDs after the other.
   *
   * @param folder keeps the steps: those that an interrupted search made are not made again
   * @param plan whose nodes it is for; its HDDs' speed is where to begin
   */
  public static Calibration run(ExperimentBench bench, Path folder, JobPlan plan)
      throws IOException, InterruptedException {
    JobPlan baseline = plan.baseline();
    bench.say("Calibrating by " + baseline.description(baseline.settings().get(0)));
    Calibration calibration = new Calibration(List.of());
    OptionalInt next = calibration.next(plan.slowDisk().iops());
    while (next.isPresent()) {
      int iops = next.getAsInt();
      ResultFolder results =
          ResultFolder.createOrOpen(folder.resolve(iops + "-iops"), baseline.withIops(iops));
      bench.make(results, new PrintWriter(Writer.nullWriter()), "calibration", iops + " IOPS: ");
      Trial trial = results.trials().get(0);
      int cores = Runtime.getRuntime().availableProcessors();
      List<Step> steps = new ArrayList<>(calibration.steps);
      steps.add(new Step(iops, trial.cpuPerReal() / cores, trial.seconds()));
      calibration = new Calibration(steps);
      bench.say("  " + steps.get(steps.size() - 1));
      next = calibration.next(plan.slowDisk().iops());
    }
    return calibration;
  }

  /** The step that came nearest; there must be one. */
  public Step best() {
    return steps.stream()
        .min(Comparator.comparingDouble(Calibration::distance))
        .orElseThrow(() -> new IllegalStateException("nothing was measured"));
  }

  public boolean found() {
    return distance(best()) <= BAND;
  }

  private static double distance(Step step) {
    return Math.abs(step.cpu() - NodeProfile.BASELINE_CPU);
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::toString).collect(Collectors.joining("; "))
        + ". "
        + (found() ? "Taken: " : "None is within 35 to 45 %; the nearest is taken: ")
        + best().iops();
  }
}
