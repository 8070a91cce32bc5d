// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The final outputs of MapReduce and of Tez 0.10.5 are moved, nothing that looks like them. */
class FinalOutputsTest extends TwoTiers {
  @Test
  void spillsOfTezStayAndItsFinalOutputsGo() throws Exception {
    String task = "attempt_1700000000000_0001_1_00_000000_0_10003";
    MapOutputId spill = id(task + "_0");
    // Of a pipelined shuffle, whose spills are fetched, the first is the coldest.
    node.fetched.put(spill, 1.0);
    node.write(fast, spill, BYTES, 0);
    node.write(fast, id(task + "_1"), BYTES, 0);
    node.write(fast, id("attempt_1700000000000_0001_r_000000_0"), BYTES, 0);
    node.write(fast, id("attempt_of_somebody"), BYTES, 0);
    node.write(fast, id(task), BYTES, 1);
    MapOutputId mapReduce = node.write(fast, 7, BYTES);
    node.demoteAll(fast, 0, id(task), mapReduce);
    assertTrue(node.holds(fast, spill));
    assertTrue(node.holds(fast, id(task + "_1")));
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

  @ParameterizedTest
  @CsvSource({
    "attempt_1418684642047_0006_m_000003_1, true",
    "attempt_1418684642047_0006_m_000003_1_2, false",
    "attempt_1418684642047_0006_r_000003_1, false",
    "attempt_1418684642047_0006_1_00_000000_0_10003, true",
    "attempt_1418684642047_0006_1_00_000000_0_10003_0, false",
    "attempt_1418684642047_0006_1_00_000000_0, false",
    "attempt_1418684642047_0006_m_000003, false",
    "attempt_, false",
    "_temporary, false"
  })
  void theirNamesAreKnownExactly(String name, boolean known) {
    assertEquals(known, MapOutputId.of(TestNode.USER, TestNode.APP, name).isFinal());
  }
}
