// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.FakeNodes;
import io.temptier.cli.Run;
import io.temptier.cli.SiteFiles;
import io.temptier.fixtures.StableNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCommandTest {
  private static final String SMALL = "application_1700000000000_0001";
  private static final String LARGE = "application_1700000000000_0002";

  /** As the NodeManager writes them: {@code NodeHistoryTest} has one. */
  private static final String LINE_OF_SMALL =
      """
      {"v":1,"app":"%s","user":"ann","fromMillis":1700000000000,"toMillis":1700000090000,\
      "tiers":[{"medium":"NVME","files":10,"bytes":1000}],"containers":3}\
      """
          .formatted(SMALL);

  private static final String LINE_OF_LARGE =
      """
      {"v":1,"app":"%s","user":"bob","fromMillis":1700003600000,"toMillis":1700009000000,\
      "tiers":[{"medium":"NVME","files":100,"bytes":1073741824},{"medium":"DISK","files":40,\
      "bytes":3221225472,"filesSpilled":40,"bytesSpilled":3221225472}],\
      "refused":[{"medium":"NVME","reason":"FULL","files":30,"bytes":2147483648},\
      {"medium":"NVME","reason":"LARGE","files":10,"bytes":1073741824}],\
      "filesDemoted":2,"bytesDemoted":524288,"containers":20,"containersFailed":1}\
      """
          .formatted(LARGE);

  private static final String LATE =
      """
      {"v":1,"app":"%s","user":"","fromMillis":1700000091000,"toMillis":1700000091000,\
      "tiers":[{"medium":"NVME","bytes":24}]}\
      """
          .formatted(SMALL);

  @TempDir Path temp;

  @RegisterExtension final FakeNodes nodes = new FakeNodes();

  private Path folder = Path.of("");

  @BeforeEach
  void aNodeThatRanJobs() throws IOException {
    folder = Files.createDirectories(temp.resolve(".temptier"));
    Files.write(folder.resolve("history.old"), List.of(LINE_OF_SMALL));
    Files.write(
        folder.resolve("history"),
        List.of(LINE_OF_LARGE, "torn", LATE, "{\"v\":2,\"app\":\"application_9_9\"}", "{]}"));
  }

  private Run history(String... args) {
    return Run.of(List.of("history", "--dir", temp.toString()), args);
  }

  @Test
  void whatSpilledMostComesFirst() throws IOException {
    Run run =
        history()
            .fine(
                "2 applications wrote 4 GiB",
                "from 2023-11-14 22:13 to 2023-11-15 00:43 UTC",
                "3 GiB (75%)",
                "512 KiB was moved down",
                "1 of 23 containers failed",
                "NVME: 2 GiB in 30 files: FULL",
                LARGE + " bob 1h 30m 1.0 3.0 3.0",
                SMALL + " ann 1m 31s <0.1 - 0",
                "2 lines left out")
            .quiet()
            .fits();
    assertTrue(run.out().indexOf(LARGE) < run.out().indexOf(SMALL), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:", "file://", "file://localhost"})
  void localDirsMayBeUris(String scheme) throws IOException {
    Path conf = Files.createDirectory(temp.resolve("conf"));
    SiteFiles.write(conf.resolve("yarn-site.xml"), "yarn.nodemanager.local-dirs", scheme + temp);
    String[] places = {"--dir=" + scheme + temp, "--conf-dir=" + conf};
    for (String place : places) {
      Run.of("history", place).fine(LARGE);
    }
  }

  @Test
  void jsonAddsUpTheLinesOfAnApplication() throws IOException {
    JsonNode root = history("--json", "-").json();
    StableNames.checkJson("history", root.toString(), HistoryCommandTest.class);
    assertEquals(LARGE, root.at("/applications/0/application").asText());
    assertEquals(3221225472L, root.at("/applications/0/bytesSpilled").asLong());
    assertEquals(
        2147483648L, root.at("/applications/0/refused/NVME/FULL/bytes").asLong(), root.toString());
    assertEquals(1024, root.at("/applications/1/tiers/NVME/bytes").asLong());
    assertEquals("ann", root.at("/applications/1/user").asText());
    assertEquals(2, root.path("linesSkipped").asLong());
  }

  @Test
  void lastNightIsAQuestionOfTime() throws IOException {
    history("--until", "2023-11-14T22:30:00Z", "--since", "2023-11-14T22:00:00Z")
        .says(SMALL)
        .lacks(LARGE);
    history("--user", "bob").lacks(SMALL);
    history("--since", "12h").failed("Of 2 applications in");
    Run.of("history", "--jmx", node(LINE_OF_SMALL), "--user", "bob").failed("Of 1 application in");
    history("--top", "1").says("1 more spilled less");
  }

  @Test
  void explainTellsOfAnEndedApplication() throws IOException {
    for (String id : List.of(LARGE, LARGE.replace("application", "job"))) {
      Run.of("explain", "--dir", temp.toString(), id)
          .fine(
              "No file of " + id,
              "1 application wrote 4 GiB",
              "NVME: 1 GiB in 10 files: LARGE",
              "DISK 40 3.0 40 3.0",
              "User bob");
    }
    Run json = Run.of("explain", "--dir", temp.toString(), LARGE, "--json", "-");
    assertEquals(3221225472L, json.json().path("bytesSpilled").asLong());
    Run.of("explain", "--dir", temp.toString(), "application_1_0009").failed();
  }

  private String node(String... lines) throws IOException {
    String all = List.of(lines).toString();
    return nodes.node(Map.of("TempTierHistory", Map.of("Applications", all)));
  }

  @Test
  void aClusterIsAddedUpByApplication() throws IOException {
    Path hosts = temp.resolve("hosts");
    Files.write(
        hosts, List.of(node(LINE_OF_LARGE), node(LINE_OF_LARGE, LINE_OF_SMALL), "127.0.0.1:1"));
    JsonNode root = Run.of("history", "--hosts", hosts.toString(), "--json", "-").fine().json();
    assertEquals(2 * 3221225472L, root.at("/applications/0/bytesSpilled").asLong());
    assertEquals(2, root.at("/applications/0/nodes").size());
    assertEquals(40, root.at("/applications/0/containers").asLong());
    assertEquals(1, root.path("silent").size());
  }

  @Test
  void whereNothingIsWrittenDownThatIsSaid() throws IOException {
    Run.of("history", "--dir", Files.createDirectory(temp.resolve("empty")).toString())
        .failed("No application is written down in");
    String node = nodes.node(Map.of("TempTierInfo", Map.of("Mode", "STOCK")));
    Run.of("history", "--jmx", node).failed("keeps no history");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--dir /tmp --jmx nm1", "--top 0", "--dir /no/such/dir", "--jmx a --rm b"})
  void wrongUseIsTold(String args) {
    Run.of(("history " + args).split(" ", -1)).misused();
  }
}
