// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.FakeNodes;
import io.temptier.cli.Run;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole clusters: a web server on loopback for each node. */
class ClusterStatusTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String VERSION = "0.1.0";
  private static final String CONF = "1a2b3c4d";

  /** Given, it shows how long a round takes on an idle machine. */
  private static final @Nullable String TIMEOUT = System.getProperty("temptier.test.node-timeout");

  @TempDir Path temp;
  @RegisterExtension private final FakeNodes nodes = new FakeNodes();

  /** Names of nodes by their real addresses, which differ from run to run. */
  private final Map<String, String> names = new HashMap<>();

  private static Map<String, Object> tier(String medium, long used, long placed, long spilledHere) {
    Map<String, Object> tier = new HashMap<>();
    tier.put("medium", medium);
    tier.put("CapacityBytes", 100L << 30);
    tier.put("FreeBytes", (100 - used) << 30);
    tier.put("BytesPlaced", placed << 30);
    tier.put("BytesSpilledHere", spilledHere << 30);
    tier.put("Dirs", 2);
    return tier;
  }

  private static Map<String, String> info(
      String mode, String version, String conf, Map<String, ?> nvme, Map<String, ?> node)
      throws IOException {
    Map<String, String> bean = new HashMap<>();
    bean.put("Mode", mode);
    bean.put("ModeReason", "because");
    bean.put("Version", version);
    bean.put("Fingerprint", conf);
    for (String empty : List.of("Findings", "Dirs")) {
      bean.put(empty, "[]");
    }
    bean.put("Settings", "{}");
    bean.put("Tiers", MAPPER.writeValueAsString(List.of(nvme, tier("DISK", 40, 100, 25))));
    bean.put("Node", MAPPER.writeValueAsString(node));
    return bean;
  }

  private static Map<String, String> sound(long used) throws IOException {
    return info("ACTIVE", VERSION, CONF, tier("NVME", used, 300, 0), Map.of());
  }

  private String node(String name, Map<String, String> info) throws IOException {
    return named(nodes.node(Map.of("TempTierInfo", info)), name);
  }

  private String named(String address, String name) {
    names.put(address, name);
    return address;
  }

  private Path hosts(List<String> addresses) throws IOException {
    // With a comment that is no UTF-8.
    Path file = temp.resolve("hosts");
    String text = "# M\u00fcnchen\n" + String.join("\n", addresses) + "\n\n";
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    return file;
  }

  private List<String> aSmallCluster() throws IOException {
    Map<String, Object> nvme = tier("NVME", 50, 300, 0);
    Map<String, Object> broken = tier("NVME", 10, 5, 0);
    broken.put("DirsFailed", 1);
    broken.put("DirErrors", 12);
    Map<String, Object> slow = tier("NVME", 20, 5, 0);
    slow.put("DirsSlow", 2);
    Map<String, Map<String, String>> failed =
        Map.of(
            "TempTierInfo",
            info("ACTIVE", VERSION, CONF, broken, Map.of("StockFallbacks", 3)),
            "TempTierShuffleInfo",
            Map.of("Media", "[]", "Lanes", "[]", "Demotion", "{\"DemotionFailures\":2}"));
    return List.of(
        node("nm-fine:8042", sound(60)),
        node("nm-full:8042", sound(85)),
        node("nm-stock:8042", info("STOCK", VERSION, "00000000", tier("NVME", 0, 0, 0), Map.of())),
        node("nm-old:8042", info("ACTIVE", "0.0.9", CONF, nvme, Map.of())),
        named(nodes.node(failed), "nm-failed:8042"),
        node("nm-slow:8042", info("ACTIVE", VERSION, CONF, slow, Map.of())),
        named(nodes.node(Map.of("NodeManagerMetrics", Map.of())), "nm-without:8042"),
        named(nodes.hung(""), "nm-hung:8042"),
        named(nodes.serve(401, query -> ""), "nm-secure:8042"),
        named(nodes.serve(200, query -> "<html>"), "nm-garbage:8042"));
  }

  private String normal(String text) {
    String normal = text.replace(temp.toString(), "");
    for (Map.Entry<String, String> name : names.entrySet()) {
      normal = normal.replace(name.getKey(), name.getValue());
    }
    return normal.replaceAll(" {2,}", "  ");
  }

  @Test
  void theWorstComeFirstAndDriftIsNamed() throws IOException {
    String hosts = hosts(aSmallCluster()).toString();
    String json = temp.resolve("json").toString();
    // Much more than nodes that answer take.
    Run run = Run.of("status", "--hosts", hosts, "--timeout", "30s", "--json", json);
    Texts.has(
        normal(run.out()),
        "10 nodes: 3 unknown, 1 without, 1 stock, 1 failed, 1 slow, 1 drift, 2 fine",
        "NVME 12 600.0 375.0",
        "nm-failed:8042 failed 10% 40% (25%) 1 dir failed; 17 errors",
        "nm-garbage:8042 unknown - - answers no JSON",
        "nm-hung:8042 unknown - - no answer within 30 s",
        "nm-old:8042 drift 50% 40% (25%) version 0.0.9, not 0.1.0",
        "nm-secure:8042 unknown - - HTTP 401",
        "nm-slow:8042 slow 20% 40% (25%) 2 dirs slow",
        "nm-without:8042 without - - does not run TempTier");
    assertTrue(run.out().lines().skip(2).allMatch(line -> line.length() <= 80), run.out());
    List<String> states =
        run.out()
            .lines()
            .filter(line -> line.startsWith("127.0.0.1:"))
            .map(line -> line.split(" +", 3)[1])
            .toList();
    assertEquals(
        List.of(
            "unknown", "unknown", "unknown", "without", "stock", "failed", "slow", "drift", "fine",
            "fine"),
        states);
    run.failed().quiet();
    JsonNode root = MAPPER.readTree(Path.of(json).toFile());
    StableNames.checkJson("status --rm", root.toString(), ClusterStatusTest.class);
    assertEquals(10, root.path("nodes").size());
    assertEquals(3, root.at("/counts/UNKNOWN").asInt());
    assertEquals(17, root.at("/nodes/5/errors").asInt(), root.toString());
    assertEquals("NVME", root.at("/tiers/0/medium").asText());
    assertEquals(0.25, root.at("/tiers/1/spilledShare").asDouble());
    assertEquals("version 0.0.9, not 0.1.0", root.at("/nodes/7/what").asText());
  }

  @Test
  void fiveHundredNodesAreOneRound() throws IOException {
    List<String> cluster = new ArrayList<>();
    // Those that hang do so until all others were asked, and as long as the round where it is
    // timed.
    CountDownLatch asked = new CountDownLatch(40);
    for (int i = 0; i < 40; i++) {
      cluster.add(TIMEOUT == null ? nodes.hungUntil(asked) : nodes.hung(""));
    }
    for (int i = 0; i < 420; i++) {
      cluster.add(node("sound", sound(70)));
    }
    for (int i = 0; i < 20; i++) {
      cluster.add(nodes.serve(401, query -> counted(asked, "")));
      cluster.add(nodes.serve(200, query -> counted(asked, "\0garbage")));
    }
    String hosts = hosts(cluster).toString();
    String timeout = TIMEOUT == null ? "10m" : TIMEOUT;
    Run run = Run.of("status", "--hosts", hosts, "--timeout", timeout, "--json", "-");
    JsonNode counts = run.json().path("counts");
    assertEquals(420, counts.path("FINE").asInt(), counts.toString());
    assertEquals(80, counts.path("UNKNOWN").asInt(), counts.toString());
    run.failed();
  }

  private static String counted(CountDownLatch asked, String answer) {
    asked.countDown();
    return answer;
  }

  /** As the router of a federation lists it, once for each subcluster that knows it. */
  @Test
  void theResourceManagerTellsWhichNodesThereAre() throws IOException {
    String fine = node("nm-fine:8042", sound(60));
    String listed =
        """
        {"nodes":{"node":[
          {"state":"RUNNING","id":"a:1","nodeHTTPAddress":"%s"},
          {"state":"LOST","id":"b:1","nodeHTTPAddress":""},
          {"state":"RUNNING","id":"a:1","nodeHTTPAddress":"%s"},
          {"state":"LOST","id":"a:1","nodeHTTPAddress":""},
          {"state":"DECOMMISSIONED","id":"c:1","nodeHTTPAddress":""}]}}
        """
            .formatted(fine, fine);
    // Nobody listens on a port of the system.
    String rms = "127.0.0.1:1," + nodes.serve(200, query -> listed);
    Run run = Run.of("status", "--rm", rms, "--json", "-");
    JsonNode root = run.json();
    assertEquals(2, root.path("nodes").size(), run.out());
    assertEquals("b:1", root.at("/nodes/0/host").asText());
    assertEquals("the ResourceManager says LOST", root.at("/nodes/0/what").asText());
    assertEquals("FINE", root.at("/nodes/1/trouble").asText());
    run.failed();
  }

  @Test
  void aSoundClusterIsExitCodeZeroThoughItDrifts() throws IOException {
    Map<String, String> other = info("ACTIVE", "2", CONF, tier("NVME", 1, 1, 0), Map.of());
    String hosts = hosts(List.of(node("a", sound(1)), node("b", other))).toString();
    assertEquals(ExitCodes.FINE, Run.of("status", "--hosts", hosts).code());
  }

  @ParameterizedTest
  @CsvSource({
    "--jmx, 127.0.0.1:1, 1, No NodeManager answers at http://127.0.0.1:1",
    "--rm, ftp://rm, 2, --rm ftp://rm",
    "--rm, 'http://rm:8088,', 2, --rm",
    "--rm, 127.0.0.1:1, 1, No ResourceManager answers at http://127.0.0.1:1",
    "--hosts, /no/such/file, 1, --hosts /no/such/file cannot be read",
    "--hosts, /tmp, 1, --hosts /tmp cannot be read",
    "--hosts, /dev/null, 1, --hosts /dev/null names no node",
  })
  void badInputIsOneLine(String option, String value, int code, String what) {
    Run.of("status", option, value).ends(code).tells(what).oneLine();
  }

  @Test
  void whatIsNoClusterIsOneLine() throws IOException {
    String other = nodes.serve(200, query -> "{}");
    Run.of("status", "--rm", other).failed("is no ResourceManager").oneLine();
    String empty = nodes.serve(200, query -> "{\"nodes\":null}");
    Run.of("status", "--rm", empty).failed("knows no NodeManager").oneLine();
    String hosts = hosts(List.of("nm1", "nm2:99999")).toString();
    Run.of("status", "--hosts", hosts).misused(hosts + ", line 3, nm2:99999").oneLine();
    Run.of("status", "--hosts", hosts, "--rm", "rm").misused("mutually exclusive").oneLine();
    Run.of("status", "--rm", "rm", "--timeout", "soon").misused("--timeout").oneLine();
  }

  /** What {@code status} shows of a node alone, its line in a cluster says too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Findings | [{'severity':'WARNING','key':'k'}] | warned | 1 warning | WARNING k",
        "Node | {'RootsRestored':2} | warned | 2 warnings | 2 RootsRestored: Times",
        "Node | {'MapreduceTasks':10,'MapreduceTasksStock':6} | tasks | 6 tasks without TempTier"
            + " | admin-env.CLASSPATH",
        "Node | {'MapreduceTasks':10,'MapreduceTasksStock':1} | warned | 1 task without TempTier"
            + " | admin-env.CLASSPATH",
        "Node | {'UpkeepErrors':15} | errors | 15 errors | 15 UpkeepErrors: Times",
        "Node | {'DirsLost':1} | failed | 1 dir lost | 1 dir",
        "Dirs | [{'path':'/d','draining':true}] | draining | 1 dir draining | temptier undrain",
        "Dirs | [{'path':'/d','trouble':'mode 555'}] | warned | 1 dir not in order"
            + " | folder in /d is not in order: mode 555",
        "Dirs | [{'path':'/d','foldersNotListed':2}] | warned | 2 folders not listed | 2 folders",
        "Dirs | [{'path':'/d','claimsDeleted':[{'uid':7}]}] | warned | 1 user with false claims"
            + " | uid 7"
      })
  void oneJudgeForANodeAndACluster(
      String attribute, String json, String state, String what, String detail) throws IOException {
    Map<String, String> info = sound(60);
    info.put(attribute, json.replace('\'', '"'));
    String address = node("nm:8042", info);
    Run.of("status", "--jmx", address).says("State: " + state + ", " + what, detail);
    String hosts = hosts(List.of(address)).toString();
    Run cluster = Run.of("status", "--hosts", hosts, "--json", "-");
    JsonNode node = cluster.json().at("/nodes/0");
    assertEquals(state, node.path("trouble").asText().toLowerCase(Locale.ROOT), cluster.out());
    assertEquals(what, node.path("what").asText());
  }
}
