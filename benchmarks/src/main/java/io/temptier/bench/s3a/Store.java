// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.Zstd;
import io.airlift.compress.Decompressor;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.s3a.client.S3aClient;
import io.temptier.bench.s3a.client.S3aClient.Request;
import io.temptier.bench.s3a.client.S3aClient.RequestResult;
import io.temptier.bench.s3a.client.Work;
import io.temptier.cli.CommandFailure;
import io.temptier.lab.ceph.CephCluster;
import io.temptier.lab.ceph.CephSpec;
import io.temptier.lab.ceph.GatewayLog;
import io.temptier.lab.ceph.S3Account;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.lab.cluster.AskedJvm;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.TestbedHome;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.text.Durations;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.HadoopShims;
import org.apache.parquet.hadoop.ParquetReader;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;

/** The store of a run with what is read there: a Ceph of its own, or one of the user's. */
final class Store implements Closeable {
  private static final String BUCKET = "bench";
  private static final long OSD_BYTES = 24L << 30;

  /** What lies on a slow disk is allocated at once, in memory where there is room. */
  private static final long SLOW_OSD_BYTES = 6L << 30;

  private static final long BESIDE_OSD_BYTES = 1L << 30;

  private final Opened opened = new Opened();
  private final Plan plan;
  private final TestbedHome home;
  private Map<String, String> reach = Map.of();
  private Map<String, String> spread = Map.of();
  private @Nullable GatewayLog log;
  private String folder = "";
  private int folders;

  private Store(Plan plan, TestbedHome home) {
    this.plan = plan;
    this.home = opened.push(home);
  }

  /**
   * Starts a Ceph, or takes the user's store, and writes what is read to a new folder there.
   *
   * @throws CommandFailure when there can be no slow disk
   */
  static Store open(Plan plan, ExperimentRun run) throws IOException {
    return Opened.ready(
        new Store(plan, TestbedHome.create(HadoopRuntime.workFolder())), store -> store.start(run));
  }

  private void start(ExperimentRun run) throws IOException {
    if (!plan.site().ownCluster()) {
      startCeph(run);
    } else {
      Map<String, String> site = read(site(plan.site().confDir()));
      reach = Setups.reach(site);
      spread = Setups.spread(site);
      folder =
          S3aClients.of(plan).bucket().replaceFirst("/+$", "")
              + "/temptier-bench-"
              + UUID.randomUUID();
    }
    HadoopRuntime built = run.runtime().stock();
    AskedJvm keeper = opened.push(ArmProcess.start(built, newFolder("keeper"), "keeper", reach));
    opened.push(() -> ask(keeper, Work.REMOVE, 0));
    run.progress("writing what is read");
    if (!S3aClients.reads(plan).isEmpty()) {
      ask(keeper, Work.OBJECT, S3aClients.of(plan).objectMib());
    }
    if (S3aClients.files(plan) > 0) {
      ask(keeper, Work.FILES, S3aClients.files(plan));
    }
    if (S3aClients.patterns(plan).contains(Work.PARQUET)) {
      ask(keeper, Work.TABLE, S3aClients.of(plan).rows());
    }
    if (S3aClients.patterns(plan).contains(Work.ORC)) {
      ask(keeper, Work.ORC_TABLE, S3aClients.of(plan).rows());
    }
  }

  private void ask(AskedJvm keeper, Work work, long count) throws IOException {
    RequestResult unused = ArmProcess.ask(keeper, new Request(work, count, 1, folder));
  }

  private void startCeph(ExperimentRun run) throws IOException {
    EmulatedDisk disk = S3aClients.of(plan).slowStore() ? disk() : null;
    CephCluster ceph =
        opened.push(
            CephCluster.start(
                disk == null ? home.path() : disk.mount(),
                new CephSpec(S3aClients.gateways(plan), disk == null ? OSD_BYTES : SLOW_OSD_BYTES),
                what -> run.progress("starting Ceph: " + what)));
    S3Account account = ceph.newAccount("bench");
    ceph.makeBucket(account, BUCKET);
    reach = Setups.reach(ceph.s3aProperties(account));
    spread = Setups.spread(TestbedFiles.properties(ceph.gateways(), account));
    log = ceph.log(0);
    folder = "s3a://" + BUCKET + "/bench";
    if (disk != null) {
      disk.limit(plan.slowDisk());
    }
  }

  /** A disk for all of Ceph's files, not slow yet. */
  private EmulatedDisk disk() throws IOException {
    long bytes = SLOW_OSD_BYTES + BESIDE_OSD_BYTES;
    TestbedHome parent =
        opened.push(TestbedHome.create(MemoryFolder.ifRoomFor(bytes, bytes, home.path())));
    EmulatedDisk disk = opened.push(EmulatedDisk.create(parent.path(), "store", bytes));
    if (!disk.slowForAll()) {
      throw new CommandFailure(
          "the store cannot lie on a slow disk: Ceph's writes are not slowed down by "
              + disk.description());
    }
    return disk;
  }

  /** Where a client's configuration says how a store of the user's is reached. */
  static Path site(String confDir) {
    return Path.of(confDir).resolve("core-site.xml");
  }

  private static Map<String, String> read(Path site) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    Map<String, String> set = new LinkedHashMap<>();
    for (Map.Entry<String, String> property : conf) {
      if (property.getKey().startsWith("fs.s3a.")
          || property.getKey().startsWith("temptier.s3a.")
          || property.getKey().startsWith("hadoop.security.")) {
        set.put(property.getKey(), property.getValue());
      }
    }
    return set;
  }

  Path home() {
    return home.path();
  }

  Path newFolder(String name) {
    folders++;
    return home.path().resolve("arm-" + folders + "-" + name);
  }

  Map<String, String> reach() {
    return reach;
  }

  /** What sends a client's requests to all gateways; empty where the store says of none. */
  Map<String, String> spread() {
    return spread;
  }

  /** What the gateway of a Ceph of the run's own answers. */
  Optional<GatewayLog> log() {
    return Optional.ofNullable(log);
  }

  /** The URI of the folder that the run may write to, and removes. */
  String folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }

  /** The JVM of an arm, which runs {@link S3aClient}. */
  static final class ArmProcess {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** A class of each jar of the readers of columns. */
    private static final List<Class<?>> READERS =
        List.of(
            ParquetReader.class,
            OrcFile.class,
            OrcProto.class,
            HadoopShims.class,
            Decompressor.class,
            Zstd.class,
            Geometry.class);

    /** Half of what Hadoop gives a container by default. */
    private static final String HEAP = "-Xmx512m";

    private ArmProcess() {}

    static AskedJvm start(HadoopRuntime runtime, Path folder, String name, Map<String, String> conf)
        throws IOException {
      // Hadoop's jars first, so that nothing of ours or Parquet's comes before them.
      List<Path> classPath = new ArrayList<>(runtime.jars());
      classPath.add(HadoopRuntime.origin(S3aClient.class));
      for (Class<?> one : READERS) {
        classPath.add(HadoopRuntime.origin(one));
      }
      if (conf.containsKey(Settings.FACTORY)) {
        classPath.add(HadoopRuntime.origin(Settings.class));
        classPath.add(HadoopRuntime.origin(Durations.class));
      }
      List<String> options = List.of(HEAP, "-Djava.io.tmpdir=" + folder);
      UnaryOperator<List<String>> plain = UnaryOperator.identity();
      return AskedJvm.start(
          new AskedJvm.Program(
              name, JavaCommand.home(), options, classPath, S3aClient.class, plain),
          folder,
          conf);
    }

    static RequestResult ask(AskedJvm jvm, Request request) throws IOException {
      String line = jvm.ask(MAPPER.writeValueAsString(request));
      RequestResult answer = MAPPER.readValue(line, RequestResult.class);
      if (!answer.failure().isEmpty()) {
        throw jvm.failure(request.work().label(), answer.failure(), null);
      }
      return answer;
    }
  }
}
