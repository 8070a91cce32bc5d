// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.FakeNodes;
import io.temptier.cli.Run;
import io.temptier.fixtures.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final long NIGHT = Instant.parse("2026-01-31T22:00:00Z").toEpochMilli();
  private static final String APP =
      """
      {"v":1,"app":"application_1_0001","user":"<ann>","fromMillis":%s,"toMillis":%s,\
      "tiers":[{"medium":"NVME","files":10,"bytes":3072},{"medium":"DISK","files":1,"bytes":1024,\
      "filesSpilled":1,"bytesSpilled":1024}],\
      "refused":[{"medium":"NVME","reason":"FULL","files":1,"bytes":1024}],"filesDemoted":1,\
      "bytesDemoted":512,"containers":3}\
      """
          .formatted(NIGHT, NIGHT + 600_000);

  @TempDir Path temp;

  @RegisterExtension final FakeNodes nodes = new FakeNodes();

  private Path folder = Path.of("");
  private Path page = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    folder = Files.createDirectories(temp.resolve(".temptier"));
    page = temp.resolve("night.html");
  }

  /** As the NodeManager writes it: {@code NodeHistoryTest} has one. */
  private static String fill(long minutes, int free, String more) {
    return """
    {"v":1,"fromMillis":%s,"toMillis":%s,"tiers":[{"medium":"NVME","CapacityBytes":1000,\
    "FreeBytes":%s,"BytesPlaced":2000},{"medium":"DISK","CapacityBytes":4000,"FreeBytes":3000,\
    "BytesPlaced":100,"BytesSpilledHere":70%s}],"bytesDemoted":30}\
    """
        .formatted(NIGHT + minutes * 60_000, NIGHT + (minutes + 5) * 60_000, free, more);
  }

  private Run report(String... args) {
    return Run.of(List.of("report", page.toString()), args);
  }

  private List<JsonNode> charts() throws IOException {
    return ReportPage.read(Files.readString(page)).charts();
  }

  private static String values(JsonNode chart, int series) {
    return chart.path("series").path(series).path("values").toString();
  }

  @Test
  void aNodeIsReportedFromItsLocalDirs() throws IOException {
    Files.write(folder.resolve("history"), List.of(APP));
    Files.write(folder.resolve("fill.old"), List.of(fill(0, 400, ""), "torn"));
    Files.write(
        folder.resolve("fill"), List.of(fill(5, 100, ""), fill(15, 250, ",\"DirsFailed\":1")));
    report("--dir", temp.toString()).fine();
    List<JsonNode> charts = charts();
    assertEquals("[\"22:00\",\"22:05\",\"22:10\",\"22:15\"]", charts.get(0).path("at").toString());
    assertEquals("NVME", charts.get(0).at("/series/0/name").asText());
    assertEquals("[60.0,90.0,null,75.0]", values(charts.get(0), 0));
    assertEquals("[25.0,25.0,null,25.0]", values(charts.get(0), 1));
    assertEquals("[2000.0,2000.0,null,2000.0]", values(charts.get(1), 0));
    assertEquals("[70.0,70.0,null,70.0]", values(charts.get(2), 0));
    assertEquals("[30.0,30.0,null,30.0]", values(charts.get(2), 1));
    // What came together in five minutes is no level that rises and falls.
    assertEquals("COLUMNS", charts.get(1).path("kind").asText());
    assertEquals("COLUMNS", charts.get(2).path("kind").asText());
    List<String> cells = ReportPage.read(Files.readString(page)).texts("td");
    int refused = cells.indexOf("FULL, no dir has room above the reserve and the claims of others");
    assertEquals(
        List.of("NVME", "1", "1 KiB"),
        List.of(cells.get(refused - 1), cells.get(refused + 1), cells.get(refused + 2)));
    String html = Files.readString(page);
    assertTrue(html.contains("1 application wrote 4 KiB of temporary data"), html);
    assertTrue(html.contains("&lt;ann&gt;") && !html.contains("<ann>"));
  }

  @Test
  void timesAreChosen() throws IOException {
    Files.write(folder.resolve("fill"), List.of(fill(0, 400, ""), fill(5, 100, "")));
    String dir = temp.toString();
    assertEquals(ExitCodes.FINE, report("--dir", dir, "--since", "2026-01-31T22:05:00Z").code());
    assertEquals("[90.0]", values(charts().get(0), 0));
    Files.delete(page);
    report("--dir", dir, "--since", "1h").failed("No application is written down");
    assertFalse(Files.exists(page));
    assertEquals(ExitCodes.WRONG_USE, report("--dir", dir, "--since", "soon").code());
    assertEquals(ExitCodes.WRONG_USE, Run.of("report").code());
  }

  @Test
  void aFolderThatIsNotThereIsSaidInALine() throws IOException {
    Files.write(folder.resolve("history"), List.of(APP));
    Path none = temp.resolve("no/such/night.html");
    Run run = Run.of("report", none.toString(), "--dir", temp.toString()).failed();
    assertEquals(
        "temptier: cannot write " + none + ": there is no folder " + none.getParent() + ".",
        run.err().strip());
  }

  @Test
  void longTimesAreShownInLongerSteps() throws IOException {
    List<String> week = new ArrayList<>();
    for (int minutes = 0; minutes < 7 * 24 * 60; minutes += 5) {
      week.add(fill(minutes, minutes == 200 ? 10 : 500, ""));
    }
    Files.write(folder.resolve("fill"), week);
    assertEquals(ExitCodes.FINE, report("--dir", temp.toString()).code());
    JsonNode used = charts().get(0);
    assertTrue(used.path("at").size() <= 300, used.path("at").size() + " steps");
    assertEquals("01-31 22:00", used.at("/at/0").asText());
    assertEquals("01-31 22:35", used.at("/at/1").asText());
    assertTrue(values(used, 0).contains("99.0"), "the fullest moment is not lost");
  }

  private String node(int free) throws IOException {
    return nodes.node(
        Map.of(
            "TempTierHistory",
            Map.of("Applications", "[" + APP + "]", "Fill", "[" + fill(0, free, "") + "]")));
  }

  @Test
  void aClusterIsAddedUp() throws IOException {
    Path hosts = temp.resolve("hosts");
    Files.write(hosts, List.of(node(700), node(100), "127.0.0.1:1"));
    report("--hosts", hosts.toString()).fine();
    List<JsonNode> charts = charts();
    assertEquals("[60.0]", values(charts.get(0), 0));
    assertEquals("NVME, fullest node", charts.get(0).at("/series/2/name").asText());
    assertEquals("[90.0]", values(charts.get(0), 2));
    assertEquals("[4000.0]", values(charts.get(1), 0));
    String html = Files.readString(page);
    assertTrue(html.contains("1 node did not tell of their past"));
  }
}
