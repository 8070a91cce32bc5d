// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.experiment.Workload.Testbed;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.shuffle.Load.Tally;
import io.temptier.bench.shuffle.ShuffleFetches.Scenario;
import io.temptier.lab.cluster.AskedJvm;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.PageCache;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Two disks with map outputs, and the handlers that serve them. Each measurement is of a job of its
 * own, since a handler remembers what was fetched of a job.
 */
final class ShuffleTestbed implements Testbed {
  /** Microseconds of CPU that the handler spent on a fetch, the kernel's work included. */
  static final String CPU_MICROS = "cpuMicrosPerFetch";

  /** The most memory of the handler's JVM that was resident. */
  static final String MEMORY = "peakMemoryBytes";

  /** Begins the names of what fetchers on the slow disk got beside those on the fast one. */
  static final String SLOW = "slow";

  /** What the slow disk was asked for, where it is emulated. */
  static final String READ_REQUESTS = "slowDiskReadRequests";

  static final String READ_BYTES = "slowDiskReadBytes";
  static final String REQUEST_BYTES = "slowDiskRequestBytes";

  /** Fetches before the first measurement, which would else be of a JVM that still compiles. */
  private static final int PRACTICE_FETCHES = 100_000;

  private static final Duration PRACTICE_TURN = Duration.ofSeconds(4);

  /** Practice ends after so many times a measurement, however few those were. */
  private static final int LONGEST_PRACTICE = 2;

  /** A slow disk that gives more than this of what was asked is read from memory. */
  private static final double TOO_FAST = 1.5;

  /** What Hadoop gives a NodeManager by default. */
  private static final String HEAP = "-Xmx1000m";

  /** As good as none: what is cached is dropped before each measurement. */
  private static final long MEMORY_BYTES = 1L << 40;

  private record JobOutputs(BenchJob job, BenchOutputs fast, BenchOutputs slow) {
    private List<Path> files() {
      return Stream.concat(fast.files().stream(), slow.files().stream()).toList();
    }
  }

  private final Plan plan;
  private final ShuffleFetches work;
  private final ExperimentRun run;
  private final Opened opened;
  private final List<JobOutputs> jobs = new ArrayList<>();
  private final Map<String, HandlerProcess> handlers = new LinkedHashMap<>();
  private final Path home;
  private final WorkerNode node;

  private ShuffleTestbed(Plan plan, ShuffleFetches work, ExperimentRun run, Opened opened)
      throws IOException {
    this.plan = plan;
    this.work = work;
    this.run = run;
    this.opened = opened;
    Path folder = HadoopRuntime.workFolder();
    long bytes = work.diskBytes();
    if (plan.site().ownDirs()) {
      home = opened.push(TestbedHome.create(folder)).path();
      node = opened.push(WorkerNode.own(plan.site().fastPaths(), plan.site().slowPaths()));
    } else {
      Path parent = MemoryFolder.ifRoomFor(2 * bytes, 2 * bytes, folder);
      home = opened.push(TestbedHome.create(parent)).path();
      NodeSpec spec = new NodeSpec(1, plan.slowDisk(), bytes, bytes, MEMORY_BYTES);
      node = opened.push(WorkerNode.emulated(spec, home));
    }
  }

  static ShuffleTestbed start(Plan plan, ShuffleFetches work, ExperimentRun run)
      throws IOException, InterruptedException {
    return Opened.make(
        opened -> {
          ShuffleTestbed testbed = new ShuffleTestbed(plan, work, run, opened);
          testbed.startAll();
          return testbed;
        });
  }

  private void startAll() throws IOException, InterruptedException {
    run.note("fast disk", fast().description());
    run.note(
        "slow disk", (plan.site().emulated() ? plan.slowDisk() + ", " : "") + slow().description());
    run.progress("writing map outputs");
    write();
    node.slowDown();
    for (Arm arm : plan.experiment().arms()) {
      run.progress("starting " + arm.label());
      HandlerProcess handler = new HandlerProcess(opened.push(startOne(arm)));
      handlers.put(arm.label(), handler);
      practise(handler);
    }
  }

  private Disk fast() {
    return node.fastDisks().get(0);
  }

  private Disk slow() {
    return node.hdds().get(0);
  }

  private AskedJvm startOne(Arm arm) throws IOException, InterruptedException {
    Path fast = local(fast());
    Path slow = local(slow());
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("yarn.nodemanager.local-dirs", fast + "," + slow);
    conf.put("temptier.local-dirs", "[NVME]" + fast + ",[DISK]" + slow);
    conf.put("mapreduce.shuffle.port", "0");
    conf.put("mapreduce.shuffle.max.threads", Integer.toString(ShuffleFetches.EVENT_LOOPS));
    conf.put("hadoop.tmp.dir", home.resolve("tmp").toString());
    conf.put(ShuffleServer.APPLICATIONS, Integer.toString(jobs.size()));
    conf.putAll(jobs.get(0).job().conf());
    conf.put(
        ShuffleServer.HANDLER,
        Objects.requireNonNull(arm.properties().get(ShuffleFetches.HANDLER), arm.label()));
    HadoopRuntime hadoop = run.runtime();
    List<Path> classPath = new ArrayList<>(hadoop.dropIns());
    classPath.addAll(hadoop.jars());
    classPath.add(HadoopRuntime.origin(ShuffleServer.class));
    List<String> heap = List.of(HEAP);
    return AskedJvm.start(
        new AskedJvm.Program(
            arm.label(), hadoop.javaHome(), heap, classPath, ShuffleServer.class, node::inGroup),
        home.resolve(arm.label()),
        conf);
  }

  private void practise(HandlerProcess handler) throws IOException, InterruptedException {
    JobOutputs outputs = jobs.get(0);
    Load load = new Load(handler.port(), outputs.job());
    List<Load.Group> groups = List.of(new Load.Group(outputs.fast(), ShuffleFetches.FETCHERS, 0));
    long deadline = System.nanoTime() + (long) (LONGEST_PRACTICE * work.seconds() * 1e9);
    for (long fetches = 0; fetches < PRACTICE_FETCHES && System.nanoTime() - deadline < 0; ) {
      fetches += load.during(groups, Duration.ZERO, PRACTICE_TURN).get(0).fetches();
    }
  }

  /** One job to practise with, and one for each round of each scenario. */
  private void write() throws IOException {
    BenchJob first = BenchJob.create();
    BenchOutputs fast = outputs(first, local(fast()), 0);
    BenchOutputs slow = outputs(first, local(slow()), work.maps());
    jobs.add(new JobOutputs(first, fast, slow));
    for (int i = 0; i < plan.rounds() * plan.settings().size(); i++) {
      BenchJob job = first.again(jobs.size() + 1);
      jobs.add(
          new JobOutputs(
              job, fast.linkedFor(job, local(fast())), slow.linkedFor(job, local(slow()))));
    }
  }

  private static Path local(Disk disk) throws IOException {
    return Files.createDirectories(disk.mount().resolve("local"));
  }

  private BenchOutputs outputs(BenchJob job, Path localDir, int firstMap) throws IOException {
    return BenchOutputs.write(
        job, localDir, firstMap, work.maps(), work.partitions(), ShuffleFetches.SEGMENT_BYTES);
  }

  /** The job of a measurement, the same for every handler. */
  private JobOutputs job(Scenario scenario, int round) {
    List<String> scenarios = plan.settings();
    return jobs.get((round - 1) * scenarios.size() + scenarios.indexOf(scenario.label()) + 1);
  }

  @Override
  public Trial run(TrialId id) throws IOException, InterruptedException {
    run.progress(id.toString());
    Scenario scenario = Scenario.of(id.setting());
    HandlerProcess handler = Objects.requireNonNull(handlers.get(id.arm().label()), id::toString);
    JobOutputs outputs = job(scenario, id.round());
    String machineLoad = MachineFacts.load();
    PageCache.drop(outputs.files());
    handler.forgetPeak();
    DiskTraffic before = slow().traffic();
    Duration cpuBefore = handler.cpu();
    long start = System.nanoTime();
    List<Tally> tallies;
    try {
      tallies = load(handler, scenario, id.round(), outputs);
    } catch (IOException e) {
      throw new IOException(
          id
              + ": "
              + e.getMessage()
              + "\nThe handler's log ends:\n"
              + handler.jvm().daemon().tail(),
          e);
    }
    double cores = (double) handler.cpu().minus(cpuBefore).toNanos() / (System.nanoTime() - start);
    DiskTraffic done = slow().traffic().since(before);
    if (scenario.slow()) {
      checkSlow(tallies.get(tallies.size() - 1));
    }
    Map<String, Double> figures = new LinkedHashMap<>(tallies.get(0).values(""));
    if (tallies.size() > 1) {
      figures.putAll(tallies.get(1).values(SLOW));
    }
    double rate = tallies.stream().mapToDouble(Tally::fetchesPerSecond).sum();
    figures.put(CPU_MICROS, cores * 1e6 / rate);
    figures.put(MEMORY, (double) handler.peakMemoryBytes());
    if (plan.site().emulated()) {
      figures.put(READ_REQUESTS, (double) done.reads());
      figures.put(READ_BYTES, (double) done.readBytes());
      figures.put(REQUEST_BYTES, (double) done.readBytes() / Math.max(1, done.reads()));
    }
    return Trial.of(id, TrialOutcome.FINE, tallies.get(0).seconds(), figures, machineLoad);
  }

  /** The tally of those that are looked at, then of those beside them if there are any. */
  private List<Tally> load(HandlerProcess handler, Scenario scenario, int round, JobOutputs outputs)
      throws IOException, InterruptedException {
    Load load = new Load(handler.port(), outputs.job());
    BenchOutputs slow = outputs.slow();
    if (scenario.pass()) {
      return List.of(
          load.pass(
              new Load.Group(slow.first(work.passMaps()), ShuffleFetches.SLOW_FETCHERS, round)));
    }
    List<Load.Group> groups = new ArrayList<>();
    groups.add(new Load.Group(outputs.fast(), ShuffleFetches.FETCHERS, round));
    if (scenario.slow()) {
      groups.add(new Load.Group(slow, ShuffleFetches.SLOW_FETCHERS, round));
    }
    return load.during(groups, duration(work.warmUpSeconds()), duration(work.seconds()));
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Figures of a slow disk that was not slow must not be shown. */
  private void checkSlow(Tally slow) throws IOException {
    if (plan.site().emulated() && slow.mbPerSecond() > TOO_FAST * plan.slowDisk().mbPerSecond()) {
      throw new IOException(
          ("the slow disk gave %s MB/s where %s were asked for: it is not slowed down here."
                  + " Name dirs on real ones with --dirs")
              .formatted(Math.round(slow.mbPerSecond()), plan.slowDisk()));
    }
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  /** A shuffle handler in a JVM of its own. */
  private record HandlerProcess(AskedJvm jvm) {
    int port() throws IOException {
      return Integer.parseInt(jvm.ask(ShuffleServer.PORT));
    }

    /** Begins the peak of {@link #peakMemoryBytes} anew, where the kernel lets us. */
    void forgetPeak() {
      try {
        Files.writeString(proc("clear_refs"), "5");
      } catch (IOException e) {
        // Then the peak is that since its start, which is no less than the one asked for.
        return;
      }
    }

    /** The most memory that was resident since {@link #forgetPeak}. */
    long peakMemoryBytes() throws IOException {
      long peak = MemoryFolder.bytes(proc("status"), "VmHWM");
      if (peak == 0) {
        throw new IOException(proc("status") + " has no VmHWM");
      }
      return peak;
    }

    /** CPU it used since its start, or zero where that is not known. */
    Duration cpu() {
      return jvm.daemon().handle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private Path proc(String file) {
      return Path.of("/proc", Long.toString(jvm.daemon().handle().pid()), file);
    }
  }
}
