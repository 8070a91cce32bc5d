// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.TeraRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A sort whose input and output lie in a real Ceph behind two gateways, and whose temporary data
 * lies on tiers. One gateway is killed while maps run.
 */
@NeedsCeph
@BeforeRelease
class S3aTeraSortIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(2);

  private static final long ROWS = 400_000;
  private static final long BYTES = ROWS * 100;
  private static final Pattern SOME_MAPS = Pattern.compile(".* map (2[5-9]|[3-9]\\d)% reduce .*");

  @Test
  void finishesAndValidatesWhenAGatewayIsKilledInTheMiddle() throws Exception {
    CephCluster ceph = CEPH.cluster();
    S3Account account = ceph.newAccount("sorter");
    ceph.makeBucket(account, "bucket");
    List<Long> before = Spread.answered(ceph, List.of(0L, 0L));
    try (PseudoCluster cluster = PseudoCluster.start(spec(ceph, account))) {
      TeraRows made =
          TeraRows.madeBy(cluster.example(TeraRows.teragen(cluster, ROWS, 2, at("in"))));
      Killing killing = new Killing(ceph, before);
      JobResult sort =
          succeeded(
              cluster.example(
                  killing,
                  "terasort",
                  "-Dmapreduce.job.reduces=2",
                  // Some maps are still to come when the first are done.
                  "-Dmapreduce.job.running.map.limit=2",
                  at("in"),
                  at("out")));
      List<Long> split = killing.split();
      System.err.println(
          "Answered by two gateways before one was killed: "
              + split
              + "; failed attempts: "
              + sort.failedAttempts());
      Spread.assertShared(split);
      assertTrue(sort.placed("NVME_BYTES") >= BYTES, "temporary data on the tiers");
      assertEquals("", made.fault(cluster, cluster::example, at("out")));
    }
  }

  private static String at(String name) {
    return "s3a://bucket/" + name;
  }

  private static ClusterSpec spec(CephCluster ceph, S3Account account) throws IOException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "s3a-terasort-");
    ClusterSpec spec =
        new ClusterSpec(HadoopRuntime.locate(), home)
            .shortTasks()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir("[NVME]", Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow")))
            .yarn("temptier.reserve", "1m")
            .mapred(
                "mapreduce.outputcommitter.factory.scheme.s3a",
                "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory");
    Spread.properties(ceph, account).forEach(spec::core);
    return spec.core("fs.s3a.block.size", "8M").core("fs.s3a.multipart.size", "5M");
  }

  private static JobResult succeeded(JobResult job) {
    assertTrue(
        job.succeeded(),
        () -> job.name() + " " + job.state() + ":\n" + String.join("\n", job.log()));
    return job;
  }

  /** Kills the first gateway once some maps are done, and not all. */
  private static final class Killing implements java.util.function.Consumer<String> {
    private final CephCluster ceph;
    private final List<Long> before;
    private final AtomicReference<@Nullable List<Long>> split = new AtomicReference<>();

    Killing(CephCluster ceph, List<Long> before) {
      this.ceph = ceph;
      this.before = before;
    }

    @Override
    public void accept(String line) {
      if (split.get() != null || !SOME_MAPS.matcher(line).matches()) {
        return;
      }
      try {
        split.set(Spread.answered(ceph, before));
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      Gateways.kill(ceph, 0);
    }

    List<Long> split() {
      List<Long> seen = split.get();
      return seen == null ? new ArrayList<>(List.of(0L, 0L)) : seen;
    }
  }
}
