// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.NeedsOtherJava;
import io.temptier.lab.ceph.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node with TempTier and one of stock Hadoop, whose reducers fetch from both. */
@NeedsOtherJava
final class MixedHandlersIT {
  private static final String INFO = "Hadoop:service=NodeManager,name=TempTierShuffleInfo";
  private static final String STOCKS = "Hadoop:service=NodeManager,name=ShuffleMetrics";
  private static final int NODES = 2;
  private static final long ROWS = 400_000;
  private static final int MAPS = 12;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reducersFetchFromOursAndFromStocks(boolean encrypted) throws Exception {
    HadoopRuntime hadoop = HadoopRuntime.locate();
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "mixed-handlers-");
    ClusterSpec.Builder stock = ClusterSpec.builder(hadoop.stock(), home).shortTasks().nodes(NODES);
    if (encrypted) {
      writeTls(home);
      stock.mapred("mapreduce.shuffle.ssl.enabled", "true");
    }
    try (PseudoCluster cluster = PseudoCluster.start(stock.build(), state -> {})) {
      Path ours = Files.createDirectory(home.resolve("ours"));
      ClusterConf.link(hadoop.dropIns(), ours);
      ClusterConf.lead(cluster.nodeConf(0).resolveSibling("temptier"), ours);
      ClusterSpec.Dir fast = new ClusterSpec.Dir("[NVME]", Path.of("fast"));
      cluster.restartNode(0, RolloutSite.spec(cluster, 0, fast));
      assertTrue(
          cluster.nodeManagers().get(0).logged("TempTier serves map outputs from"),
          "stock's handler serves");
      BackgroundSort.Input.generate(cluster, ROWS, MAPS)
          // More reducers than a node takes at a time, and as many as maps.
          .sort("/out", "-Dmapreduce.job.reduces=" + MAPS)
          .unharmed();
      long sent = 0;
      for (int node = 0; node < NODES; node++) {
        // By the name that stock's handler has for it.
        JsonNode counted = cluster.nodeBeans(node, STOCKS).path(0);
        long ok = counted.path("ShuffleOutputsOK").asLong();
        System.out.println(
            "node "
                + node
                + ": "
                + ok
                + " answers, "
                + counted.path("ShuffleOutputBytes")
                + " bytes");
        assertTrue(ok > 0, counted.toString());
        assertEquals(
            encrypted, cluster.nodeManagers().get(node).logged("Encrypted shuffle is enabled"));
        sent += ok;
      }
      JsonNode media =
          new ObjectMapper().readTree(cluster.nodeBeans(0, INFO).path(0).path("Media").asText());
      assertTrue(media.path(0).path("SegmentsSent").asLong() > 0, media.toString());
      // Each reducer asks each node, whichever it runs on.
      assertTrue(sent >= NODES * MAPS, "answers: " + sent);
    }
  }

  /** What NodeManagers and reducers want, into the folder that both have on their class path. */
  private static void writeTls(Path home) throws Exception {
    SelfSigned certificate = SelfSigned.make(home);
    for (int node = 0; node < NODES; node++) {
      Path conf = Files.createDirectories(home.resolve("node-" + node).resolve("conf"));
      String keys = "ssl.server.keystore.";
      SiteFile.write(
          conf.resolve("ssl-server.xml"),
          Map.of(
              keys + "location",
              certificate.keyStore().toString(),
              keys + "type",
              "pkcs12",
              keys + "password",
              SelfSigned.PASSWORD,
              keys + "keypassword",
              SelfSigned.PASSWORD));
      String trusted = "ssl.client.truststore.";
      SiteFile.write(
          conf.resolve("ssl-client.xml"),
          Map.of(
              trusted + "location",
              certificate.trustStore().toString(),
              trusted + "type",
              "jks",
              trusted + "password",
              SelfSigned.PASSWORD));
    }
  }
}
