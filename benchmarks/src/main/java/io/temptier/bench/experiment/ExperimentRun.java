// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.ExistingCluster;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.node.EmulatedNode;
import io.temptier.bench.node.OwnNode;
import io.temptier.bench.testbed.Disk;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.MemoryFolder;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.TestbedHome;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.probe.DeviceProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes all trials of a run that are not made yet, a node for each setting. */
final class ExperimentRun {
  private static final String IDEAL = "ideal";
  private static final long PROBE_BYTES = 64L << 20;
  private static final Duration PROBE_RANDOM = Duration.ofSeconds(2);
  private static final Duration PROBE_SEQUENTIAL = Duration.ofSeconds(1);

  private final ResultFolder results;
  private final HadoopRuntime runtime;
  private final Consumer<Trial> made;
  private final Consumer<String> progress;

  /**
   * A run.
   *
   * @param made hears of each trial once it is kept
   * @param progress hears what is being done
   */
  ExperimentRun(
      ResultFolder results,
      HadoopRuntime runtime,
      Consumer<Trial> made,
      Consumer<String> progress) {
    this.results = results;
    this.runtime = runtime;
    this.made = made;
    this.progress = progress;
  }

  /**
   * Makes them. Node and cluster are gone when this returns or throws.
   *
   * @throws IOException when a node or a cluster cannot be run; a job that fails is a result
   */
  void run() throws IOException, InterruptedException {
    ExperimentPlan plan = results.plan();
    CommandFailure.ifAny(plan.hindrance());
    for (Setting setting : plan.experiment().settings()) {
      List<TrialId> missing = missing(plan, setting);
      if (!missing.isEmpty()) {
        run(plan, setting, missing);
      }
    }
  }

  private List<TrialId> missing(ExperimentPlan plan, Setting setting) throws IOException {
    List<TrialId> all = new ArrayList<>();
    for (TrialId id : TrialId.of(plan, setting)) {
      if (results.trial(id).isEmpty()) {
        all.add(id);
      }
    }
    return all;
  }

  private void run(ExperimentPlan plan, Setting setting, List<TrialId> missing)
      throws IOException, InterruptedException {
    if (plan.site().ownCluster()) {
      runOnOwnCluster(plan, setting, missing);
    } else if (plan.site().ownDirs()) {
      runOnOwnDirs(plan, setting, missing);
    } else {
      runOnEmulatedNode(plan, setting, missing);
    }
  }

  private void runOnOwnCluster(ExperimentPlan plan, Setting setting, List<TrialId> missing)
      throws IOException, InterruptedException {
    try (ExistingCluster cluster = ExistingCluster.of(Path.of(plan.site().confDir()), runtime);
        ClusterTrials trials = ClusterTrials.start(plan, setting, cluster, progress)) {
      make(trials::run, missing);
    }
  }

  private void runOnOwnDirs(ExperimentPlan plan, Setting setting, List<TrialId> missing)
      throws IOException, InterruptedException {
    Site dirs = plan.site();
    dirs.check(plan.workload());
    try (Opened opened = new Opened()) {
      Path home = opened.push(TestbedHome.create(HadoopRuntime.workFolder())).path();
      OwnNode node = opened.push(OwnNode.create(dirs.fastPaths(), dirs.slowPaths()));
      Disk ideal = node.fastDisks().get(0);
      run(new Stage(plan, setting, node, ideal, node.disks(), home), missing);
    }
  }

  private void runOnEmulatedNode(ExperimentPlan plan, Setting setting, List<TrialId> missing)
      throws IOException, InterruptedException {
    long images = plan.imageBytes(setting);
    long memory = plan.node(setting).memoryBytes();
    Path parent = MemoryFolder.ifRoomFor(images, memory, HadoopRuntime.workFolder());
    progress.accept(setting.name() + ": making the disks");
    try (Opened opened = new Opened()) {
      Path home = opened.push(TestbedHome.create(parent)).path();
      EmulatedNode node = opened.push(EmulatedNode.create(plan.node(setting), home));
      for (EmulatedDisk hdd : node.hdds()) {
        hdd.readAhead(plan.readAheadBytes());
      }
      Map<String, Disk> disks = node.disks();
      EmulatedDisk ideal = node.fast();
      if (plan.needsIdeal(setting)) {
        ideal = opened.push(EmulatedDisk.create(home, IDEAL, plan.idealBytes()));
        disks.put(IDEAL, ideal);
      }
      // The probe needs room for its file.
      probe(setting, node);
      if (setting.foreignShare() > 0) {
        node.fast().occupy(setting.foreignShare());
      }
      run(new Stage(plan, setting, node, ideal, disks, home), missing);
    }
  }

  private void run(Stage stage, List<TrialId> missing) throws IOException, InterruptedException {
    try (Trials trials = Trials.start(stage, runtime, progress)) {
      make(trials::run, missing);
    }
  }

  /** Makes one trial. */
  @FunctionalInterface
  private interface Maker {
    Trial make(TrialId id) throws IOException, InterruptedException;
  }

  private void make(Maker maker, List<TrialId> missing) throws IOException, InterruptedException {
    for (TrialId id : missing) {
      Trial trial = maker.make(id);
      results.add(trial);
      made.accept(trial);
    }
  }

  /** Notes what the disks can do, as the node finds them. */
  private void probe(Setting setting, EmulatedNode node) throws IOException {
    progress.accept(setting.name() + ": probing the disks");
    DeviceProbe probe = new DeviceProbe(PROBE_BYTES, PROBE_RANDOM, PROBE_SEQUENTIAL, PROBE_BYTES);
    EmulatedDisk hdd = node.hdds().get(0);
    node.slowDown();
    try {
      if (hdd.slowForAll()) {
        note(setting, "an HDD", hdd.description() + "; " + probe.run(hdd.mount()));
      } else {
        note(setting, "an HDD", "not probed: it is slow for processes of the node only");
      }
      EmulatedDisk fast = node.fast();
      note(setting, "the fast disk", fast.description() + "; " + probe.run(fast.mount()));
    } finally {
      node.speedUp();
    }
  }

  private void note(Setting setting, String disk, String profile) throws IOException {
    results.addFact(setting.name() + ": " + disk, profile);
  }
}
