// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The final outputs of MapReduce and of Tez 0.10.5 are moved, nothing that looks like them. */
class FinalOutputsTest extends TwoTiers {
  @Test
  void spillsOfTezStayAndItsFinalOutputsGo() throws Exception {
    String tez = "attempt_1418684642047_0006_1_00_000000_0_10003";
    String mapReduce = "attempt_1418684642047_0006_m_000003_1";
    List<MapOutputId> others =
        Stream.of(
                tez + "_0",
                tez + "_1",
                "attempt_1418684642047_0006_1_00_000000_0",
                mapReduce + "_2",
                "attempt_1418684642047_0006_m_000003",
                "attempt_1418684642047_0006_r_000003_1",
                "attempt_of_somebody",
                "attempt_",
                "_temporary")
            .map(FinalOutputsTest::id)
            .toList();
    // Of a pipelined shuffle, whose spills are fetched, the first is the coldest.
    node.fetched.put(others.get(0), 1.0);
    for (MapOutputId id : others) {
      node.write(fast, id, BYTES, 0);
    }
    node.write(fast, id(tez), BYTES, 1);
    node.write(fast, id(mapReduce), BYTES, 1);
    node.demoteAll(fast, 0, id(tez), id(mapReduce));
    for (MapOutputId id : others) {
      assertTrue(node.holds(fast, id), id::attempt);
    }
  }

  /** The shuffle handler of Tez is another one, which has a folder for each DAG. */
  @Test
  void whatTheHandlerOfTezServesStays() throws Exception {
    MapOutputId output = node.write(fast, 7, BYTES);
    MapOutputId looked = node.write(fast, 8, BYTES);
    Path outputs = fast.path().resolve(MapOutputId.outputs(TestNode.USER, TestNode.APP));
    Path dag = Files.createDirectory(outputs.resolveSibling("dag_1"));
    Path own = dag.resolve("output/attempt_1700000000000_0001_1_00_000000_0_10003");
    Files.createDirectories(own.getParent());
    Files.move(outputs.resolve(output.attempt()), own);
    node.invariants.drop(node.file(fast, output)::equals);
    node.invariants.keep(own.resolve(MapOutputId.DATA));
    node.demoteAll(fast, 0, looked);
    assertTrue(Files.isRegularFile(own.resolve(MapOutputId.DATA), LinkOption.NOFOLLOW_LINKS));
  }

  private static MapOutputId id(String attempt) {
    return MapOutputId.of(TestNode.USER, TestNode.APP, attempt);
  }
}
