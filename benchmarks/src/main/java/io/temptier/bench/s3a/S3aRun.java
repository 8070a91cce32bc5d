/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One run over a store. Used once. */
final class S3aRun {
  /** What is practised, of what is measured: enough for the compiler. */
  private static final int PRACTICE = 4;

  private final S3aPlan plan;
  private final HadoopRuntime runtime;
  private final Store store;
  private final Consumer<String> progress;
  private final List<Arm> arms = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int folders;

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
    Map<Pattern, Map<String, List<Measurement>>> measured = new EnumMap<>(Pattern.class);
    try (Opened opened = new Opened()) {
      List<ArmProcess> processes = new ArrayList<>();
      for (Setup setup : setups) {
        progress.accept("Hadoop " + hadoop.version() + ", starting " + setup.name());
        processes.add(start(opened, hadoop, setup));
      }
      for (int round = plan.quick() ? 1 : 0; round <= plan.rounds(); round++) {
        for (Pattern pattern : patterns) {
          List<ArmProcess> inTurn = new ArrayList<>(processes);
          if (round % 2 == 0) {
            Collections.reverse(inTurn);
          }
          for (ArmProcess process : inTurn) {
            Measurement one = measure(hadoop, process, pattern, round);
            if (round > 0) {
              measured
                  .computeIfAbsent(pattern, key -> new LinkedHashMap<>())
                  .computeIfAbsent(process.name(), key -> new ArrayList<>())
                  .add(one);
            }
          }
        }
      }
    }
    measured.forEach(
        (pattern, byName) ->
            setups.forEach(
                setup ->
                    arms.add(
                        new Arm(
                            setup.name(),
                            hadoop.version(),
                            pattern,
                            byName.getOrDefault(setup.name(), List.of())))));
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
