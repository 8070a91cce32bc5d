// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.NeedsOtherJava;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A NodeManager with the jar of the shuffle handler that is for another Hadoop. */
@NeedsOtherJava
final class WrongJarIT {
  private static final long ROWS = 20_000;
  private static final int MAPS = 2;

  @Test
  void stockServesAndSaysWhy() throws Exception {
    HadoopRuntime hadoop = HadoopRuntime.locate();
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "wrong-jar-");
    ClusterSpec spec =
        ClusterSpec.builder(withWrongJar(hadoop), home)
            .shortTasks()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir("[NVME]", Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow")))
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .build();
    try (PseudoCluster cluster = PseudoCluster.start(spec, state -> {})) {
      List<String> said =
          Files.readAllLines(cluster.nodeManagers().get(0).log()).stream()
              .filter(line -> line.contains("stock Hadoop's shuffle handler does"))
              .toList();
      assertEquals(1, said.size(), said::toString);
      System.out.println(said.get(0));
      assertTrue(said.get(0).contains("this is " + hadoop.version()), said.get(0));
      JobResult job = BackgroundSort.Input.generate(cluster, ROWS, MAPS).sort("/out").unharmed();
      assertTrue(job.placed("NVME_FILES") > 0, "nothing was placed");
    }
  }

  private static HadoopRuntime withWrongJar(HadoopRuntime hadoop) throws IOException {
    Path otherBuilds = HadoopRuntime.shuffleForHadoop33();
    List<Path> dropIns = new ArrayList<>(hadoop.dropIns());
    Path right = HadoopRuntime.shuffleOfThisBuild();
    boolean for33 = dropIns.remove(otherBuilds);
    assertTrue(for33 || dropIns.remove(right), dropIns::toString);
    dropIns.add(for33 ? right : otherBuilds);
    return new HadoopRuntime(hadoop.jars(), dropIns, hadoop.javaHome());
  }
}
