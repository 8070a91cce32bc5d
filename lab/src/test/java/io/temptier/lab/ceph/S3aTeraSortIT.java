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
import io.temptier.s3a.endpoint.EndpointKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
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
    S3Account account = CEPH.owner("sorter", "bucket");
    List<Long> before = CEPH.answered(List.of(0L, 0L));
    List<Long> split = new CopyOnWriteArrayList<>();
    try (PseudoCluster cluster = PseudoCluster.start(spec(account))) {
      TeraRows made =
          TeraRows.madeBy(cluster.example(TeraRows.teragen(cluster, ROWS, 2, at("in"))));
      JobResult sort =
          cluster
              .example(
                  line -> {
                    if (split.isEmpty() && SOME_MAPS.matcher(line).matches()) {
                      split.addAll(CEPH.answered(before));
                      CEPH.kill(0);
                    }
                  },
                  "terasort",
                  "-Dmapreduce.job.reduces=2",
                  // Some maps are still to come when the first are done.
                  "-Dmapreduce.job.running.map.limit=2",
                  at("in"),
                  at("out"))
              .requireSuccess();
      System.err.println(
          "Answered by two gateways before one was killed: "
              + split
              + "; failed attempts: "
              + sort.failedAttempts());
      CephFixture.assertShared(split);
      assertTrue(sort.placed("NVME_BYTES") >= BYTES, "temporary data on the tiers");
      assertEquals("", made.fault(cluster, cluster::example, at("out")));
    }
  }

  private static String at(String name) {
    return "s3a://bucket/" + name;
  }

  private static ClusterSpec spec(S3Account account) throws IOException {
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
    CEPH.properties(account).forEach(spec::core);
    return spec.core(EndpointKey.PROBE_INTERVAL.key(), "500ms")
        .core("fs.s3a.block.size", "8M")
        .core("fs.s3a.multipart.size", "5M");
  }
}
