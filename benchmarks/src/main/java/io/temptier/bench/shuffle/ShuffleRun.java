// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.DiskReads;
import io.temptier.bench.testbed.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One run: the outputs, the handlers, and every scenario with each of them in turn. Each
 * measurement is of a job of its own, since a handler remembers what was fetched of a job. Used
 * once.
 */
final class ShuffleRun {
  /** Fetches before the first measurement, which would else be of a JVM that still compiles. */
  private static final int PRACTICE_FETCHES = 100_000;

  private static final Duration PRACTICE_TURN = Duration.ofSeconds(4);

  /** Practice ends after so many times a measurement, however few those were. */
  private static final int LONGEST_PRACTICE = 2;

  /** A slow disk that gives more than this of what was asked is read from memory. */
  private static final double TOO_FAST = 1.5;

  private final ShufflePlan plan;
  private final HadoopRuntime runtime;
  private final Disks disks;
  private final Consumer<String> progress;
  private final List<JobOutputs> jobs = new ArrayList<>();

  /**
   * A run.
   *
   * @param progress hears what is being done
   */
  ShuffleRun(ShufflePlan plan, HadoopRuntime runtime, Disks disks, Consumer<String> progress) {
    this.plan = plan;
    this.runtime = runtime;
    this.disks = disks;
    this.progress = progress;
  }

  /**
   * Measures. The handlers have ended when this returns or throws.
   *
   * @param handlers their classes by the names of their arms
   * @return by scenario, then in the order of the handlers
   * @throws IOException when a handler does not serve, or serves something wrong
   */
  List<Arm> run(Map<String, String> handlers) throws IOException, InterruptedException {
    progress.accept("writing map outputs");
    write();
    disks.slowDown();
    List<HandlerProcess> started = new ArrayList<>();
    try {
      for (Map.Entry<String, String> handler : handlers.entrySet()) {
        progress.accept("starting " + handler.getKey());
        HandlerProcess process = start(handler.getKey(), handler.getValue());
        started.add(process);
        practise(process);
      }
      return measure(started);
    } finally {
      started.forEach(HandlerProcess::close);
    }
  }

  private void practise(HandlerProcess handler) throws IOException, InterruptedException {
    JobOutputs outputs = jobs.get(0);
    Load load = new Load(handler.port(), outputs.job());
    List<Load.Group> groups = List.of(new Load.Group(outputs.fast(), plan.fetchers(), 0));
    long deadline = System.nanoTime() + LONGEST_PRACTICE * plan.measured().toNanos();
    for (long fetches = 0; fetches < PRACTICE_FETCHES && System.nanoTime() - deadline < 0; ) {
      fetches += load.during(groups, Duration.ZERO, PRACTICE_TURN).get(0).fetches();
    }
  }

  /** One job to practise with, and one for each round of each scenario. */
  private void write() throws IOException {
    BenchJob first = BenchJob.create();
    Path slowDir = disks.slow();
    MapOutputs fast = outputs(first, disks.fast(), 0);
    MapOutputs slow = slowDir == null ? null : outputs(first, slowDir, plan.maps());
    jobs.add(new JobOutputs(first, fast, slow));
    for (int i = 0; i < plan.rounds() * plan.scenarios().size(); i++) {
      BenchJob job = first.again(jobs.size() + 1);
      jobs.add(
          new JobOutputs(
              job,
              fast.linkedFor(job, disks.fast()),
              slow == null || slowDir == null ? null : slow.linkedFor(job, slowDir)));
    }
  }

  private MapOutputs outputs(BenchJob job, Path localDir, int firstMap) throws IOException {
    return MapOutputs.write(
        job, localDir, firstMap, plan.maps(), plan.partitions(), ShufflePlan.SEGMENT_BYTES);
  }

  /** The job of a measurement, the same for every handler. */
  private JobOutputs job(Scenario scenario, int round) {
    List<Scenario> scenarios = plan.scenarios();
    return jobs.get((round - 1) * scenarios.size() + scenarios.indexOf(scenario) + 1);
  }

  private List<Arm> measure(List<HandlerProcess> handlers)
      throws IOException, InterruptedException {
    Map<Scenario, Map<String, List<Measurement>>> measured = new EnumMap<>(Scenario.class);
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Scenario scenario : plan.scenarios()) {
        if (scenario.slow() && disks.slow() == null) {
          continue;
        }
        List<HandlerProcess> inTurn = new ArrayList<>(handlers);
        if (round % 2 == 0) {
          Collections.reverse(inTurn);
        }
        for (HandlerProcess handler : inTurn) {
          progress.accept(
              "round "
                  + round
                  + " of "
                  + plan.rounds()
                  + ", "
                  + scenario.label()
                  + ", "
                  + handler.name());
          measured
              .computeIfAbsent(scenario, key -> new LinkedHashMap<>())
              .computeIfAbsent(handler.name(), key -> new ArrayList<>())
              .add(measure(handler, scenario, round));
        }
      }
    }
    List<Arm> arms = new ArrayList<>();
    measured.forEach(
        (scenario, byHandler) ->
            byHandler.forEach((name, rounds) -> arms.add(new Arm(name, scenario, rounds))));
    return arms;
  }

  private Measurement measure(HandlerProcess handler, Scenario scenario, int round)
      throws IOException, InterruptedException {
    JobOutputs outputs = job(scenario, round);
    PageCache.drop(outputs.files());
    handler.forgetPeak();
    DiskReads before = disks.slowReads();
    Duration cpuBefore = handler.cpu();
    long start = System.nanoTime();
    List<Tally> tallies;
    try {
      tallies = load(handler, scenario, round, outputs);
    } catch (IOException e) {
      throw new IOException(
          handler.name()
              + ", "
              + scenario.label()
              + ": "
              + e.getMessage()
              + "\nThe handler's log ends:\n"
              + handler.logTail(),
          e);
    }
    double cores = (double) handler.cpu().minus(cpuBefore).toNanos() / (System.nanoTime() - start);
    DiskReads after = disks.slowReads();
    if (scenario.slow()) {
      checkSlow(tallies.get(tallies.size() - 1));
    }
    return new Measurement(
        tallies.get(0),
        tallies.size() > 1 ? tallies.get(1) : null,
        before == null || after == null ? null : after.since(before),
        cores,
        handler.peakMemoryBytes(),
        handler.peakDirectBytes());
  }

  /** The tally of those that are looked at, then of those beside them if there are any. */
  private List<Tally> load(HandlerProcess handler, Scenario scenario, int round, JobOutputs outputs)
      throws IOException, InterruptedException {
    Load load = new Load(handler.port(), outputs.job());
    MapOutputs slow = outputs.slow();
    if (scenario.pass() && slow != null) {
      return List.of(
          load.pass(new Load.Group(slow.first(plan.passMaps()), plan.slowFetchers(), round)));
    }
    List<Load.Group> groups = new ArrayList<>();
    groups.add(new Load.Group(outputs.fast(), plan.fetchers(), round));
    if (scenario.slow() && slow != null) {
      groups.add(new Load.Group(slow, plan.slowFetchers(), round));
    }
    return load.during(groups, plan.warmUp(), plan.measured());
  }

  /** Figures of a slow disk that was not slow must not be shown. */
  private void checkSlow(Tally slow) throws IOException {
    if (disks.emulated() && slow.mbPerSecond() > TOO_FAST * plan.slowDisk().mbPerSecond()) {
      throw new IOException(
          "the slow disk gave "
              + Math.round(slow.mbPerSecond())
              + " MB/s where "
              + plan.slowDisk()
              + " were asked for: it is not slowed down here. Name a folder on a real one with"
              + " --slow-dir");
    }
  }

  private HandlerProcess start(String name, String handlerClass)
      throws IOException, InterruptedException {
    Path slow = disks.slow();
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("yarn.nodemanager.local-dirs", disks.fast() + (slow == null ? "" : "," + slow));
    conf.put(
        "temptier.local-dirs", "[NVME]" + disks.fast() + (slow == null ? "" : ",[DISK]" + slow));
    conf.put("mapreduce.shuffle.port", "0");
    conf.put("mapreduce.shuffle.max.threads", Integer.toString(plan.eventLoops()));
    conf.put("hadoop.tmp.dir", disks.home().resolve("tmp").toString());
    conf.put(ShuffleServer.APPLICATIONS, Integer.toString(jobs.size()));
    conf.putAll(jobs.get(0).job().conf());
    return HandlerProcess.start(runtime, disks.home(), name, handlerClass, conf, disks::inGroup);
  }
}
