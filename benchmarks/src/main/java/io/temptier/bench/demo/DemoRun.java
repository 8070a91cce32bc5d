// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.demo.DemoResult.Mark;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.TeraRows;
import io.temptier.shuffle.ShuffleCounter;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One run of the demo: a cluster, the jobs, and what was seen of them. */
final class DemoRun {
  /** With two nodes: the application master and three tasks at a time. */
  private static final int NODE_MEMORY_MIB = 1024;

  private static final String SHUFFLE = "Hadoop:service=NodeManager,name=TempTierShuffleInfo";

  private final DemoPlan plan;
  private final PseudoCluster cluster;
  private final Consumer<String> progress;
  private final List<JobResult> jobs = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();

  DemoRun(DemoPlan plan, PseudoCluster cluster, Consumer<String> progress) {
    this.plan = plan;
    this.cluster = cluster;
    this.progress = progress;
  }

  /** The cluster that it runs on. */
  static ClusterSpec spec(DemoPlan plan, HadoopRuntime runtime, Path home) {
    return new ClusterSpec(runtime, home)
        .shortTasks()
        .nodes(plan.nodes())
        .nodeMemoryMiB(plan.nodes() == 1 ? NODE_MEMORY_MIB * 3 / 2 : NODE_MEMORY_MIB)
        .dirs(
            new ClusterSpec.Dir(plan.fastTag(), Path.of("fast")),
            new ClusterSpec.Dir("[DISK]", Path.of("slow1")),
            new ClusterSpec.Dir("[DISK]", Path.of("slow2")))
        .tiered(true)
        .yarn("temptier.reserve", Long.toString(DemoPlan.RESERVE_BYTES))
        .yarn("temptier.unknown-size", Long.toString(DemoPlan.UNKNOWN_SIZE_BYTES))
        // Reducers of this size would keep so little data in memory.
        .mapred("mapreduce.reduce.shuffle.input.buffer.percent", "0.25")
        // A second attempt at a task would be counted as if the job needed its bytes.
        .mapred("mapreduce.map.speculative", "false")
        .mapred("mapreduce.reduce.speculative", "false")
        .mapred("mapreduce.job.reduce.slowstart.completedmaps", "0.3");
  }

  /**
   * Runs all jobs.
   *
   * @throws IOException when one cannot be run; the message says which
   */
  DemoResult run(Map<String, String> facts) throws IOException, InterruptedException {
    TierSampler sampler = new TierSampler(media());
    long startMillis = System.currentTimeMillis();
    JobResult sort;
    List<OfTier> fetched;
    String fault;
    try {
      String rows = Long.toString(plan.rows());
      JobResult teragen = job(sampler, "teragen", "-Dmapreduce.job.maps=4", rows, "/in");
      sort = job(sampler, "terasort", "-Dmapreduce.job.reduces=2", "/in", "/out");
      JobResult teravalidate = job(sampler, "teravalidate", "/out", "/validate");
      fetched = fetched();
      fault = TeraRows.madeBy(teragen).fault(teravalidate, cluster.lines("/validate/part-*"));
    } finally {
      sampler.close();
    }
    JournalSummary ledger = new JournalSummary(sampler.records(), DemoResult.application(sort));
    return new DemoResult(
        fault.isEmpty(),
        fault.isEmpty() ? "TeraValidate found the rows in order and none missing" : fault,
        jobs.stream().mapToInt(JobResult::failedAttempts).sum(),
        sort.jobSeconds(),
        Stream.of(Medium.values())
            .map(medium -> new OfTier(medium, tally(sort, medium.name())))
            .filter(tier -> tier.tally().files() > 0)
            .toList(),
        tally(sort, "SPILLED_DOWN"),
        plan,
        ledger.phases(),
        ledger.refusals(),
        ledger.moved(startMillis),
        fetched,
        List.copyOf(jobs),
        sort.placed(),
        sampler.samples(),
        marks,
        facts);
  }

  /** What the shuffle handlers have sent so far. */
  private List<OfTier> fetched() throws IOException {
    Map<Medium, Tally> fetched = new EnumMap<>(Medium.class);
    for (int node = 0; node < plan.nodes(); node++) {
      JsonNode bean = cluster.nodeBeans(node, SHUFFLE).path(0);
      for (JsonNode medium : new ObjectMapper().readTree(bean.path("Media").asText())) {
        fetched.merge(
            Medium.valueOf(medium.path("medium").asText()),
            new Tally(
                medium.path(ShuffleCounter.SEGMENTS_SENT.attribute()).asLong(),
                medium.path(ShuffleCounter.BYTES_SENT.attribute()).asLong()),
            Tally::plus);
      }
    }
    return fetched.entrySet().stream()
        .map(one -> new OfTier(one.getKey(), one.getValue()))
        .toList();
  }

  private JobResult job(TierSampler sampler, String... command)
      throws IOException, InterruptedException {
    String name = command[0];
    marks.add(new Mark(name, DemoResult.tenths(sampler.seconds())));
    progress.accept(name + ": submitting");
    JobResult result = cluster.example(HadoopCluster.progress(name, progress), command);
    jobs.add(result);
    return result.requireSuccess();
  }

  private Map<Path, Medium> media() {
    Map<Path, Medium> media = new LinkedHashMap<>();
    for (int node = 0; node < plan.nodes(); node++) {
      List<Path> dirs = cluster.localDirs(node);
      media.put(dirs.get(0), Medium.NVME);
      dirs.subList(1, dirs.size()).forEach(dir -> media.put(dir, Medium.DISK));
    }
    return media;
  }

  private static Tally tally(JobResult sort, String counters) {
    return new Tally(sort.placed(counters + "_FILES"), sort.placed(counters + "_BYTES"));
  }
}
