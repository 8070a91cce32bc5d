// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.s3a.client.Answer;
import io.temptier.bench.s3a.client.Request;
import io.temptier.bench.s3a.client.Work;
import io.temptier.bench.testbed.Opened;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One run over a store. Used once. */
final class S3aRun {
  /** What is practised, of what is measured: enough for the compiler. */
  private static final int PRACTICE = 4;

  /** An arm that has not failed, and what was measured of it so far. */
  private record Entrant(ArmProcess process, Map<Pattern, List<Measurement>> measured) {}

  private final S3aPlan plan;
  private final HadoopRuntime runtime;
  private final Store store;
  private final Consumer<String> progress;
  private final List<Arm> arms = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int folders;
  private boolean armFailed;

  /**
   * A run.
   *
   * @param runtime the build's own Hadoop
   * @param progress hears what is being done
   */
  S3aRun(S3aPlan plan, HadoopRuntime runtime, Store store, Consumer<String> progress) {
    this.plan = plan;
    this.runtime = runtime;
    this.store = store;
    this.progress = progress;
  }

  /** What was measured, pattern by pattern. */
  List<Arm> arms() {
    return List.copyOf(arms);
  }

  /** Whether an arm failed, which is a remark, too. */
  boolean armFailed() {
    return armFailed;
  }

  /** What could not be measured. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Measures. All clients have ended when this returns or throws, and the store's folder is gone.
   *
   * @throws IOException when a client fails
   */
  void run() throws IOException {
    try (Opened opened = new Opened()) {
      Setup sound = Setups.readers(runtime.version(), store.reach(), Map.of()).get(0);
      ArmProcess keeper = start(opened, runtime, sound);
      try {
        prepare(keeper);
        for (String hadoop : plan.hadoops()) {
          reads(hadoop);
        }
        uploads();
        jobs();
      } finally {
        keeper.ask(new Request(Work.REMOVE, 0, 0, store.folder()));
      }
    }
  }

  private void prepare(ArmProcess keeper) throws IOException {
    if (!plan.reads().isEmpty()) {
      progress.accept("writing what is read");
      keeper.ask(new Request(Work.OBJECT, plan.objectMib(), 1, store.folder()));
    }
    if (plan.files() > 0) {
      keeper.ask(new Request(Work.FILES, plan.files(), 1, store.folder()));
    }
    if (plan.has(Pattern.PARQUET)) {
      keeper.ask(new Request(Work.TABLE, plan.rows(), 1, store.folder()));
    }
  }

  private void reads(String hadoop) throws IOException {
    if (plan.reads().isEmpty()) {
      return;
    }
    HadoopRuntime other = runtime;
    if (!hadoop.equals(runtime.version())) {
      progress.accept("the jars of Hadoop " + hadoop);
      try {
        other = OtherHadoop.of(hadoop);
      } catch (IOException e) {
        remarks.add("Hadoop " + hadoop + " was left out: " + e.getMessage());
        return;
      }
    }
    measure(other, Setups.readers(hadoop, store.reach(), plan.own()), plan.reads());
  }

  private void uploads() throws IOException {
    if (!plan.has(Pattern.UPLOAD)) {
      return;
    }
    long bytes = (2 * plan.count(Pattern.UPLOAD)) << 20;
    try (UploadDisks disks = UploadDisks.open(store.home(), bytes, plan.slowDisk())) {
      remarks.add(disks.description());
      measure(
          runtime,
          Setups.uploaders(store.reach(), disks.fast(), disks.slow()),
          List.of(Pattern.UPLOAD));
    }
  }

  private void jobs() throws IOException {
    if (plan.has(Pattern.TERAGEN)) {
      measure(runtime, Setups.committers(store.reach(), store.home()), List.of(Pattern.TERAGEN));
    }
  }

  /** All of them live at once, so that each is measured in every round; only one works. */
  private void measure(HadoopRuntime hadoop, List<Setup> setups, List<Pattern> patterns)
      throws IOException {
    List<Entrant> entrants = new ArrayList<>();
    try (Opened opened = new Opened()) {
      for (Setup setup : setups) {
        progress.accept("Hadoop " + hadoop.version() + ", starting " + setup.name());
        entrants.add(new Entrant(start(opened, hadoop, setup), new EnumMap<>(Pattern.class)));
      }
      for (int round = plan.quick() ? 1 : 0; round <= plan.rounds(); round++) {
        for (Pattern pattern : patterns) {
          List<Entrant> inTurn = new ArrayList<>(entrants);
          if (round % 2 == 0) {
            Collections.reverse(inTurn);
          }
          for (Entrant entrant : inTurn) {
            measure(hadoop, entrant, pattern, round, entrants);
          }
        }
      }
    }
    for (Pattern pattern : patterns) {
      for (Entrant entrant : entrants) {
        arms.add(
            new Arm(
                entrant.process.name(),
                hadoop.version(),
                pattern,
                entrant.measured.getOrDefault(pattern, List.of())));
      }
    }
  }

  /**
   * Measures one arm once. What fails is left out from then on, with all that was measured of it.
   *
   * @throws IOException when it was the last
   */
  private void measure(
      HadoopRuntime hadoop, Entrant entrant, Pattern pattern, int round, List<Entrant> entrants)
      throws IOException {
    try {
      Measurement one = measure(hadoop, entrant.process, pattern, round);
      if (round > 0) {
        entrant.measured.computeIfAbsent(pattern, key -> new ArrayList<>()).add(one);
      }
    } catch (IOException e) {
      entrants.remove(entrant);
      if (entrants.isEmpty()) {
        throw e;
      }
      armFailed = true;
      remarks.add("Hadoop " + hadoop.version() + ": FAILED, and left out: " + e.getMessage());
    }
  }

  private Measurement measure(HadoopRuntime hadoop, ArmProcess process, Pattern pattern, int round)
      throws IOException {
    progress.accept(
        "Hadoop "
            + hadoop.version()
            + ", "
            + (round == 0 ? "practice" : "round " + round + " of " + plan.rounds())
            + ", "
            + pattern.label()
            + ", "
            + process.name());
    long count = plan.count(pattern);
    Answer answer =
        process.ask(
            new Request(
                pattern.work(),
                round == 0 ? Math.max(1, count / PRACTICE) : count,
                round,
                store.folder()));
    return new Measurement(
        answer.nanos() / 1e9, answer.bytes(), answer.storeBytes(), answer.requests());
  }

  private ArmProcess start(Opened opened, HadoopRuntime hadoop, Setup setup) throws IOException {
    folders++;
    ArmProcess process =
        ArmProcess.start(
            hadoop, store.home().resolve("arm-" + folders + "-" + setup.name()), setup);
    opened.push(process::close);
    return process;
  }
}
