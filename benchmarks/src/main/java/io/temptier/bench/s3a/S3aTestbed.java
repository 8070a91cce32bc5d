// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.experiment.Workload.Testbed;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.s3a.Store.ArmProcess;
import io.temptier.bench.s3a.client.S3aClient.Request;
import io.temptier.bench.s3a.client.S3aClient.RequestResult;
import io.temptier.bench.s3a.client.Work;
import io.temptier.lab.ceph.GatewayLog;
import io.temptier.lab.ceph.GatewayLog.Sent;
import io.temptier.lab.cluster.AskedJvm;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The clients of one part. All of them live at once, so that each is measured in every round; only
 * one works. One that fails is not asked again.
 */
final class S3aTestbed implements Testbed {
  /** Practice does a fourth of what is measured: enough for the compiler. */
  private static final int PRACTICE = 4;

  private static final int NO_ROUND = 0;

  /** Both tasks of TeraGen in its client; else a job takes a whole number of seconds. */
  private static final Map<String, String> LOCAL_JOBS =
      Map.of(
          "mapreduce.framework.name", "local",
          "mapreduce.job.maps", "8",
          "mapreduce.local.map.tasks.maximum", "2",
          "mapreduce.client.progressmonitor.pollinterval", "20");

  private static final long MARGIN_BYTES = 64L << 20;

  private final Plan plan;
  private final Store store;
  private final ExperimentRun run;
  private final Opened opened = new Opened();
  private final Map<String, AskedJvm> clients = new HashMap<>();
  private final Map<String, String> failures = new HashMap<>();

  private S3aTestbed(Plan plan, Store store, ExperimentRun run) {
    this.plan = plan;
    this.store = store;
    this.run = run;
  }

  /** Starts the clients and has them practise. */
  static S3aTestbed start(Plan plan, Part part, Store store, ExperimentRun run) throws IOException {
    return Opened.ready(new S3aTestbed(plan, store, run), made -> made.start(part));
  }

  private void start(Part part) throws IOException {
    String first = part.settings().get(0);
    Optional<HadoopRuntime> hadoop = runtime(S3aClients.hadoop(first));
    if (hadoop.isEmpty()) {
      return;
    }
    Map<Arm.Kind, Path> buffers = Map.of();
    if (S3aClients.pattern(first) == Work.UPLOAD) {
      buffers = bufferDirs();
    }
    for (Arm arm : part.arms()) {
      Map<String, String> conf = Setups.conf(arm, store.reach());
      if (!arm.disks().isEmpty()) {
        Path dir = buffers.get(arm.disks().get(0));
        if (dir == null) {
          continue;
        }
        conf.put("fs.s3a.buffer.dir", dir.toString());
      }
      if (arm.label().equals(Setups.THREE_GATEWAYS)) {
        conf.putAll(store.spread());
        if (store.spread().isEmpty()) {
          run.note(
              arm.label(),
              "left out: " + plan.site().confDir() + " names no temptier.s3a.endpoints");
          continue;
        }
      }
      run.progress(first + ": starting " + arm.label());
      Path folder = store.newFolder(arm.label());
      if (S3aClients.pattern(first) == Work.TERAGEN) {
        conf.put("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.putAll(LOCAL_JOBS);
        conf.put("mapreduce.jobtracker.staging.root.dir", folder.resolve("staging").toString());
      }
      clients.put(
          arm.label(), opened.push(ArmProcess.start(hadoop.get(), folder, arm.label(), conf)));
    }
    if (S3aClients.of(plan).practice()) {
      for (String setting : part.settings()) {
        for (Arm arm : part.arms()) {
          if (clients.containsKey(arm.label())) {
            RequestResult unused = ask(new TrialId(setting, NO_ROUND, arm));
          }
        }
      }
    }
  }

  /** Empty where its jars cannot be had, which is noted. */
  private Optional<HadoopRuntime> runtime(String hadoop) throws IOException {
    HadoopRuntime built = run.runtime().stock();
    if (hadoop.equals(built.version())) {
      return Optional.of(built);
    }
    run.progress("the jars of Hadoop " + hadoop);
    try {
      return Optional.of(HadoopRuntime.ofVersion(hadoop));
    } catch (IOException e) {
      run.note("Hadoop " + hadoop, "left out: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Where blocks wait for their upload; without a slow disk where writing to one is not slow. */
  private Map<Arm.Kind, Path> bufferDirs() throws IOException {
    long bytes = ((2 * S3aClients.of(plan).count(Work.UPLOAD)) << 20) + MARGIN_BYTES;
    String note = EmulatedDisk.hindrance().orElse("");
    if (!note.isEmpty()) {
      run.note("slow disk of uploads", "none: " + note);
      return Map.of(Arm.Kind.FAST, Files.createDirectories(store.home().resolve("uploads")));
    }
    Path parent = MemoryFolder.ifRoomFor(2 * bytes, 2 * bytes, store.home());
    Path folder = opened.push(TestbedHome.create(parent)).path();
    EmulatedDisk fast = opened.push(EmulatedDisk.create(folder, "fast", bytes));
    EmulatedDisk slow = opened.push(EmulatedDisk.create(folder, "slow", bytes));
    if (!slow.slowForAll()) {
      run.note(
          "slow disk of uploads", "none: writeback is not slowed down by " + slow.description());
      return Map.of(Arm.Kind.FAST, fast.mount());
    }
    slow.limit(plan.slowDisk());
    run.note("slow disk of uploads", plan.slowDisk() + ", " + slow.description());
    return Map.of(Arm.Kind.FAST, fast.mount(), Arm.Kind.HDD, slow.mount());
  }

  @Override
  public boolean runs(TrialId id) {
    return clients.containsKey(id.arm().label());
  }

  @Override
  public Trial run(TrialId id) throws IOException {
    String load = MachineFacts.load();
    RequestResult answer = ask(id);
    if (!answer.failure().isEmpty()) {
      return Trial.of(id, answer.failure(), 0, Map.of(), load);
    }
    double seconds = answer.nanos() / 1e9;
    Map<String, Double> figures = new HashMap<>();
    figures.put(S3aClients.MB_PER_SECOND, answer.bytes() / seconds / 1e6);
    // 0 is unknown.
    if (answer.storeBytes() > 0) {
      figures.put(S3aClients.STORE_BYTES, (double) answer.storeBytes());
    }
    if (answer.requests() > 0) {
      figures.put(S3aClients.REQUESTS, (double) answer.requests());
    }
    return Trial.of(id, TrialOutcome.FINE, seconds, figures, load);
  }

  /** Has an arm do it, or practise it; why an arm failed is noted, and answered from then on. */
  private RequestResult ask(TrialId id) throws IOException {
    String label = id.arm().label();
    String failure = failures.get(label);
    if (failure == null) {
      run.progress(id.round() == NO_ROUND ? id.setting() + ", practice, " + label : id.toString());
      Work pattern = S3aClients.pattern(id.setting());
      long count = S3aClients.of(plan).count(pattern);
      long part = id.round() == NO_ROUND ? Math.max(1, count / PRACTICE) : count;
      try {
        Optional<GatewayLog> log = Work.reads().contains(pattern) ? store.log() : Optional.empty();
        if (log.isPresent()) {
          Sent unused = log.get().next();
        }
        RequestResult answer =
            ArmProcess.ask(
                Objects.requireNonNull(clients.get(label), label),
                new Request(pattern, part, id.round(), store.folder()));
        return log.isPresent() ? counted(answer, log.get().next()) : answer;
      } catch (IOException e) {
        failure = "FAILED in " + id.setting();
        failures.put(label, failure);
        run.note(
            label + ", Hadoop " + S3aClients.hadoop(id.setting()),
            "FAILED, and left out: " + e.getMessage());
      }
    }
    return RequestResult.failed(failure);
  }

  /** By the gateway's log, since not every stream counts all that it asks for. */
  private static RequestResult counted(RequestResult answer, Sent sent) {
    return new RequestResult(answer.nanos(), answer.bytes(), sent.bytes(), sent.requests(), "");
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
