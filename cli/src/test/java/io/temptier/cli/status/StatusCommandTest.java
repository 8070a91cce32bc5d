// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.cli.FakeNodes;
import io.temptier.cli.Run;
import io.temptier.cli.nodes.NodesOptions;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against a web server that answers as a NodeManager does. {@code jmx/active-idle.json}, {@code
 * stock.json} and {@code node-manager-metrics.json} were recorded from NodeManagers of Hadoop
 * 3.4.2, {@code shuffle-off.json} of a shuffle handler, its disks renamed; those that are busy are
 * these with other numbers.
 */
class StatusCommandTest {
  @RegisterExtension private final FakeNodes nodes = new FakeNodes();
  private final Map<String, String> beans = new HashMap<>();
  private int httpCode = 200;
  private String address = "";

  @BeforeEach
  void withoutTempTier() throws IOException {
    beans.put("NodeManagerMetrics", recorded("node-manager-metrics"));
  }

  private static String recorded(String name) throws IOException {
    return Files.readString(Path.of("src/test/resources/jmx", name + ".json"));
  }

  private Run status(String... more) throws IOException {
    address = nodes.serve(httpCode, beans);
    return Run.of(List.of("status", "--jmx", address), more);
  }

  private String normal(String text) {
    return text.replace(address, "NODE:8042");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "active-idle; ''; 0; State: warned, 2 warnings|NVME over DISK by FAST_FIRST|"
            + "NVME 1 2.0 2.0 0 2.0 0 0|Spilled down: 0 files|stock Hadoop serves map outputs|"
            + "WARNING temptier.local-dirs = /nvme0/yarn (yarn-site.xml)",
        "active-busy; ''; 1; 1 dir failed, 1 dir slow, 2 errors, 1 dir draining|"
            + "Spilled down: 42 files, 4.1 GiB|35 refused by NVME|"
            + "3 on DISK: no tier had room|1 StockFallbacks|/nvme0/yarn is being emptied|"
            + "/hdd0/yarn cannot be used at the moment",
        "stock; ''; 1; STOCK|There is no medium NVMEE|Did you mean NVME?",
        "active-idle; shuffle-busy; 0; NVME 48211 2.9 0.2 0.9 4.2 0 0|"
            + "Demoted: 211 map outputs, 9.1 GiB|2 DemotionNoRoom",
        "active-idle; shuffle-off; 0; DISK 0 0 - - - 0 0|Demoted: 0 map outputs|"
            + "Nothing is demoted: which applications run is not known"
      })
  void whatANodeManagerSays(String recording, String shuffle, int code, String facts)
      throws IOException {
    beans.put("TempTierInfo", recorded(recording));
    if (!shuffle.isEmpty()) {
      beans.put("TempTierShuffleInfo", recorded(shuffle));
    }
    Run run = status().ends(code).quiet().fits();
    Texts.has(run.flat().replace("; ", ", "), facts.split("\\|"));
  }

  /** As of a NodeManager whose disks are over 90 % full, or of which one disk is bad. */
  @ParameterizedTest
  @CsvSource({
    "false, 0, 'failed, unhealthy to YARN', 'calls the node unhealthy: 1/2 local-dirs are bad'",
    "true, 1, 'failed, 1 dir not used by YARN', '1/2 local-dirs are bad: [ /x ]'"
  })
  void yarnHasItsSay(boolean healthy, int bad, String state, String why) throws IOException {
    beans.put("TempTierInfo", recorded("active-idle"));
    beans.put("NodeManagerMetrics", "{\"beans\":[{\"BadLocalDirs\":" + bad + "}]}");
    String report = "\"healthReport\":\"1/2 local-dirs are bad: [ /x ] \"";
    // What has no query.
    beans.put("null", "{\"nodeInfo\":{\"nodeHealthy\":" + healthy + "," + report + "}}");
    status().ends(1).says("State: " + state, why);
  }

  @Test
  void jsonHasTheSameNumbers() throws IOException {
    beans.put("TempTierInfo", recorded("active-busy"));
    beans.put("TempTierShuffleInfo", recorded("shuffle-busy"));
    Run run = status("--json", "-");
    Run.golden("status.json", normal(run.out()));
    StableNames.checkJson("status --jmx", run.out(), StatusCommandTest.class);
  }

  @Test
  void aNodeManagerWithoutTempTierIsToldHowToSwitchItOn() throws IOException {
    status().failed("does not run TempTier", "io.temptier.hadoop.NodeManagerTiering");
  }

  @Test
  void anythingElseIsNoNodeManager() throws IOException {
    beans.clear();
    status().failed("is no NodeManager");
    beans.put("TempTierInfo", "<html>");
    status().failed("is no JSON");
    beans.put("TempTierInfo", "{\"beans\":[{\"Mode\":\"ACTIVE\",\"Tiers\":\"{oops\"}]}");
    status().failed("of another version");
    // More than a NodeManager ever says.
    beans.put("TempTierInfo", " ".repeat(17 << 20));
    status().failed("/jmx is larger than 16 MiB");
    httpCode = 404;
    status().failed("HTTP 404");
    httpCode = 401;
    status().failed("wants to know who asks");
  }

  @Test
  void aDiskThatWasNotReadHasNoLatency() throws IOException {
    beans.put("TempTierInfo", recorded("active-idle"));
    beans.put(
        "TempTierShuffleInfo",
        recorded("shuffle-busy").replaceAll("(ReadLatency\\w+\\\\?\" ?: ?)\\d+", "$10"));
    status().says("2.9 - - - 0 0").lacks("0.0 ms");
  }

  /** One that accepts and says nothing, and one that never ends what it says. */
  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"})
  void aNodeManagerThatHangsIsToldAsSuch(String answer) throws IOException {
    Run.of("status", "--jmx", nodes.hung(answer), "--timeout", "1s")
        .failed("No NodeManager answers at http://127.0.0.1:")
        .oneLine();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://nm1", "http://", "nm 1", "", "nm1:99999", "u:p@nm1", "nm1:x"})
  void addressesThatAreNone(String jmx) {
    Run.of("status", "--jmx", jmx).misused("--jmx");
  }

  @ParameterizedTest
  @CsvSource({
    "nm1, http://nm1:8042",
    "nm1:9042, http://nm1:9042",
    "http://nm1:8042/jmx, http://nm1:8042",
    "http://nm1:8042/jmx?qry=*:*, http://nm1:8042",
    "https://nm1:8044/, https://nm1:8044",
    "https://gateway/jmx, https://gateway",
    "HTTP://NM1:8042/jmx, http://nm1:8042",
    "HTTPS://gateway, https://gateway",
    "Docker_NM_1:9042, http://docker_nm_1:9042",
    "[::1]:8042, http://[::1]:8042",
    "node_1, http://node_1:8042",
    "http://docker_nm_1:9042/jmx, http://docker_nm_1:9042"
  })
  void addressesAsPeopleTypeThem(String typed, String expected) {
    assertEquals(expected, NodesOptions.address(typed).toString());
  }
}
