// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import io.temptier.fixtures.ReportPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
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

  private final List<HttpServer> servers = new ArrayList<>();
  private Path folder = Path.of("");
  private Path page = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    folder = Files.createDirectories(temp.resolve(".temptier"));
    page = temp.resolve("night.html");
  }

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
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
    List<String> all = new ArrayList<>(List.of("report", page.toString()));
    all.addAll(List.of(args));
    return Run.of(all.toArray(String[]::new));
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
    Run run = report("--dir", temp.toString());
    assertEquals(ExitCodes.FINE, run.code(), run.err());
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
    assertFalse(html.contains("The node now"), "its metrics were not asked for");
  }

  @Test
  void timesAreChosen() throws IOException {
    Files.write(folder.resolve("fill"), List.of(fill(0, 400, ""), fill(5, 100, "")));
    String dir = temp.toString();
    assertEquals(ExitCodes.FINE, report("--dir", dir, "--since", "2026-01-31T22:05:00Z").code());
    assertEquals("[90.0]", values(charts().get(0), 0));
    Files.delete(page);
    Run none = report("--dir", dir, "--since", "1h");
    assertEquals(ExitCodes.FAILED, none.code());
    assertTrue(none.err().contains("No application is written down"), none.err());
    assertFalse(Files.exists(page));
    assertEquals(ExitCodes.WRONG_USE, report("--dir", dir, "--since", "soon").code());
    assertEquals(ExitCodes.WRONG_USE, Run.of("report").code());
  }

  @Test
  void aFolderThatIsNotThereIsSaidInALine() throws IOException {
    Files.write(folder.resolve("history"), List.of(APP));
    Path none = temp.resolve("no/such/night.html");
    Run run = Run.of("report", none.toString(), "--dir", temp.toString());
    assertEquals(ExitCodes.FAILED, run.code());
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

  /** A web server for a node, with the beans it has by their names. */
  private String node(Map<String, Map<String, String>> beans) throws IOException {
    HttpServer server = HttpServer.create();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          Map<String, String> bean = beans.get(query.substring(query.lastIndexOf('=') + 1));
          byte[] body =
              MAPPER
                  .writeValueAsString(Map.of("beans", bean == null ? List.of() : List.of(bean)))
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private String node(int free, boolean slow) throws IOException {
    return node(free, slow, false);
  }

  private String node(int free, boolean slow, boolean draining) throws IOException {
    String dir =
        "{\"path\":\"/nvme0\",\"medium\":\"NVME\",\"slow\":%s,\"draining\":%s}"
            .formatted(slow, draining);
    String tiers = "[{\"medium\":\"NVME\",\"CapacityBytes\":1000,\"FreeBytes\":" + free + "}]";
    return node(
        Map.of(
            "TempTierHistory",
            Map.of("Applications", "[" + APP + "]", "Fill", "[" + fill(0, free, "") + "]"),
            "TempTierInfo",
            Map.of(
                "Mode", "ACTIVE",
                "Settings", "{}",
                "Layout", "[]",
                "Tiers", slow ? tiers.replace("}", ",\"DirsSlow\":1}") : tiers,
                "Node", "{}",
                "Dirs", "[" + dir + "]",
                "Findings", "[]",
                "Decisions", "[]")));
  }

  @Test
  void aDirThatIsEmptiedIsOnTheBadge() throws IOException {
    assertEquals(
        ExitCodes.FINE, report("--jmx", node(700, false, true), "--timeout", "60s").code());
    ReportPage read = ReportPage.read(Files.readString(page));
    assertEquals(List.of("draining · 1 dir draining"), read.ofClass("badge doubtful"));
    assertEquals(ExitCodes.FINE, report("--jmx", node(700, false), "--timeout", "60s").code());
    assertEquals(List.of("fine"), ReportPage.read(Files.readString(page)).ofClass("badge good"));
  }

  @Test
  void aClusterIsAddedUp() throws IOException {
    Path hosts = temp.resolve("hosts");
    Files.write(hosts, List.of(node(700, false), node(100, true), "127.0.0.1:1"));
    Run run = report("--hosts", hosts.toString(), "--timeout", "60s");
    assertEquals(ExitCodes.FINE, run.code(), run.err());
    List<JsonNode> charts = charts();
    assertEquals("[60.0]", values(charts.get(0), 0));
    assertEquals("NVME, fullest node", charts.get(0).at("/series/2/name").asText());
    assertEquals("[90.0]", values(charts.get(0), 2));
    assertEquals("[4000.0]", values(charts.get(1), 0));
    String html = Files.readString(page);
    assertTrue(html.contains("2 of 3 nodes in trouble"), "one is slow, one silent");
    assertTrue(html.contains("/nvme0 answers slower than the next tier"));
    assertTrue(html.contains("1 node did not tell of their past"));
  }
}
