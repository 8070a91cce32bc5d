// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Golden;
import io.temptier.cli.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole clusters: a web server on loopback for each node. */
class ClusterStatusTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String VERSION = "0.1.0";
  private static final String CONF = "1a2b3c4d";

  /** Much more than a node takes; less shows how long a round takes on an idle machine. */
  private static final String TIMEOUT = System.getProperty("temptier.test.node-timeout", "10s");

  /** No NodeManager runs on a port of the system. */
  private static final String NOBODY = "127.0.0.1:1";

  @TempDir Path temp;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<HttpServer> servers = new ArrayList<>();
  private final List<ServerSocket> hung = new ArrayList<>();

  /** Names of nodes by their real addresses, which differ from run to run. */
  private final Map<String, String> names = new HashMap<>();

  @AfterEach
  void stop() throws IOException {
    servers.forEach(server -> server.stop(0));
    for (ServerSocket socket : hung) {
      socket.close();
    }
    threads.shutdownNow();
  }

  /** What a NodeManager says, as a bean. */
  private static String bean(Map<String, ?> attributes) throws IOException {
    return MAPPER.writeValueAsString(Map.of("beans", List.of(attributes)));
  }

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
    for (String empty : List.of("Layout", "Findings", "Decisions", "Dirs")) {
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

  /** A node with some beans, by their names. */
  private String node(String name, Map<String, Map<String, String>> beans) throws IOException {
    Map<String, String> pages = new HashMap<>();
    for (Map.Entry<String, Map<String, String>> bean : beans.entrySet()) {
      pages.put(bean.getKey(), bean(bean.getValue()));
    }
    return serve(name, 200, query -> pages.getOrDefault(query, "{\"beans\":[]}"));
  }

  private interface Pages {
    String of(String bean);
  }

  private String serve(String name, int code, Pages pages) throws IOException {
    HttpServer server = HttpServer.create();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          String asked = query.substring(query.lastIndexOf('=') + 1);
          byte[] body = pages.of(asked).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(code, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return named("127.0.0.1:" + server.getAddress().getPort(), name);
  }

  /** The kernel accepts, and nobody ever reads. */
  private String hung(String name) throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    hung.add(socket);
    return named("127.0.0.1:" + socket.getLocalPort(), name);
  }

  private String named(String address, String name) {
    names.put(address, name);
    return address;
  }

  private Path hosts(List<String> addresses) throws IOException {
    Path file = temp.resolve("hosts");
    Files.writeString(file, "# the cluster\n" + String.join("\n", addresses) + "\n\n");
    return file;
  }

  /** One of them does not answer: {@code silent}. */
  private List<String> aSmallCluster(String silent) throws IOException {
    List<String> cluster = new ArrayList<>();
    cluster.add(node("nm-fine:8042", Map.of("TempTierInfo", sound(60))));
    cluster.add(node("nm-full:8042", Map.of("TempTierInfo", sound(85))));
    cluster.add(
        node(
            "nm-stock:8042",
            Map.of(
                "TempTierInfo",
                info("STOCK", VERSION, "00000000", tier("NVME", 0, 0, 0), Map.of()))));
    cluster.add(
        node(
            "nm-old:8042",
            Map.of(
                "TempTierInfo",
                info("ACTIVE", "0.0.9", CONF, tier("NVME", 50, 300, 0), Map.of()))));
    Map<String, Object> broken = tier("NVME", 10, 5, 0);
    broken.put("DirsFailed", 1);
    broken.put("DirErrors", 12);
    cluster.add(
        node(
            "nm-failed:8042",
            Map.of(
                "TempTierInfo",
                info("ACTIVE", VERSION, CONF, broken, Map.of("StockFallbacks", 3)),
                "TempTierShuffleInfo",
                Map.of("Media", "[]", "Lanes", "[]", "Demotion", "{\"DemotionFailures\":2}"))));
    Map<String, Object> slow = tier("NVME", 20, 5, 0);
    slow.put("DirsSlow", 2);
    cluster.add(
        node(
            "nm-slow:8042", Map.of("TempTierInfo", info("ACTIVE", VERSION, CONF, slow, Map.of()))));
    cluster.add(node("nm-without:8042", Map.of("NodeManagerMetrics", Map.of())));
    cluster.add(silent);
    cluster.add(serve("nm-secure:8042", 401, query -> ""));
    cluster.add(serve("nm-garbage:8042", 200, query -> "<html>"));
    return cluster;
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
    Run run =
        Run.of(
            "status",
            "--hosts",
            hosts(aSmallCluster(hung("nm-hung:8042"))).toString(),
            "--timeout",
            TIMEOUT);
    // Nodes in the same trouble come by name, which is a port here.
    String sorted = String.join("\n", normal(run.out()).lines().sorted().toList());
    Golden.assertMatches("status-cluster.txt", sorted + "\n");
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
    assertEquals(ExitCodes.FAILED, run.code());
    assertEquals("", run.err());
  }

  @Test
  void jsonHasEveryNode() throws IOException {
    Path hosts = hosts(aSmallCluster(NOBODY));
    Run run = Run.of("status", "--hosts", hosts.toString(), "--timeout", TIMEOUT, "--json", "-");
    JsonNode root = MAPPER.readTree(run.out());
    assertEquals(10, root.path("nodes").size());
    assertEquals(3, root.at("/counts/UNKNOWN").asInt());
    assertEquals(17, root.at("/nodes/5/errors").asInt(), root.toString());
    assertEquals("NVME", root.at("/tiers/0/medium").asText());
    assertEquals(0.25, root.at("/tiers/1/spilledShare").asDouble());
    assertEquals("0.1.0", root.at("/drift/1/most").asText(), root.at("/drift").toString());
  }

  @Test
  void linesFit80Columns() throws IOException {
    Path hosts = hosts(aSmallCluster(NOBODY));
    Run run = Run.of("status", "--hosts", hosts.toString(), "--timeout", TIMEOUT);
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run.out());
  }

  @Test
  void fiveHundredNodesAreOneRound() throws IOException {
    List<String> cluster = new ArrayList<>();
    Map<String, Map<String, String>> sound = Map.of("TempTierInfo", sound(70));
    for (int i = 0; i < 420; i++) {
      cluster.add(node("sound", sound));
    }
    for (int i = 0; i < 40; i++) {
      cluster.add(hung("hung"));
    }
    for (int i = 0; i < 20; i++) {
      cluster.add(serve("secure", 401, query -> ""));
      cluster.add(serve("garbage", 200, query -> "\0garbage"));
    }
    String hosts = hosts(cluster).toString();
    Run run = Run.of("status", "--hosts", hosts, "--timeout", TIMEOUT, "--json", "-");
    JsonNode counts = MAPPER.readTree(run.out()).path("counts");
    assertEquals(420, counts.path("FINE").asInt(), counts.toString());
    assertEquals(80, counts.path("UNKNOWN").asInt(), counts.toString());
    assertEquals(ExitCodes.FAILED, run.code());
  }

  /** As the router of a federation lists it, once for each subcluster that knows it. */
  @Test
  void theResourceManagerTellsWhichNodesThereAre() throws IOException {
    String fine = node("nm-fine:8042", Map.of("TempTierInfo", sound(60)));
    String nodes =
        """
        {"nodes":{"node":[
          {"state":"RUNNING","id":"a:1","nodeHTTPAddress":"%s"},
          {"state":"LOST","id":"b:1","nodeHTTPAddress":""},
          {"state":"RUNNING","id":"a:1","nodeHTTPAddress":"%s"},
          {"state":"LOST","id":"a:1","nodeHTTPAddress":""},
          {"state":"DECOMMISSIONED","id":"c:1","nodeHTTPAddress":""}]}}
        """
            .formatted(fine, fine);
    String standby = hung("rm1");
    hung.get(0).close();
    String active = serve("rm2", 200, query -> nodes);
    Run run = Run.of("status", "--rm", standby + "," + active, "--timeout", "60s", "--json", "-");
    JsonNode root = MAPPER.readTree(run.out());
    assertEquals(2, root.path("nodes").size(), run.out());
    assertEquals("b:1", root.at("/nodes/0/host").asText());
    assertEquals("the ResourceManager says LOST", root.at("/nodes/0/what").asText());
    assertEquals("FINE", root.at("/nodes/1/trouble").asText());
    assertEquals(ExitCodes.FAILED, run.code());
  }

  @Test
  void aSoundClusterIsExitCodeZeroThoughItDrifts() throws IOException {
    List<String> cluster = new ArrayList<>();
    cluster.add(node("a", Map.of("TempTierInfo", sound(1))));
    cluster.add(
        node(
            "b",
            Map.of("TempTierInfo", info("ACTIVE", "2", CONF, tier("NVME", 1, 1, 0), Map.of()))));
    String hosts = hosts(cluster).toString();
    assertEquals(ExitCodes.FINE, Run.of("status", "--hosts", hosts, "--timeout", "60s").code());
  }

  private static void assertOneLine(Run run, int code, String what) {
    assertEquals(code, run.code(), run.err());
    assertTrue(run.err().contains(what), run.err());
    assertEquals(1, run.err().lines().filter(line -> !line.startsWith("Try '")).count(), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "--rm, ftp://rm, 2, --rm ftp://rm",
    "--rm, 'http://rm:8088,', 2, --rm",
    "--rm, 127.0.0.1:1, 1, No ResourceManager answers at http://127.0.0.1:1",
    "--hosts, /no/such/file, 1, --hosts /no/such/file cannot be read",
    "--hosts, /tmp, 1, --hosts /tmp cannot be read",
    "--hosts, /dev/null, 1, --hosts /dev/null names no node",
  })
  void badInputIsOneLine(String option, String value, int code, String what) {
    assertOneLine(Run.of("status", option, value), code, what);
  }

  @Test
  void whatIsNoClusterIsOneLine() throws IOException {
    String other = serve("rm", 200, query -> "{}");
    assertOneLine(Run.of("status", "--rm", other), 1, "is no ResourceManager");
    String empty = serve("rm", 200, query -> "{\"nodes\":null}");
    assertOneLine(Run.of("status", "--rm", empty), 1, "knows no NodeManager");
    Path hosts = hosts(List.of("nm1", "nm2:99999"));
    assertOneLine(Run.of("status", "--hosts", hosts.toString()), 2, hosts + ", line 3, nm2:99999");
    assertOneLine(
        Run.of("status", "--hosts", hosts.toString(), "--rm", "rm"), 2, "mutually exclusive");
    assertOneLine(Run.of("status", "--rm", "rm", "--timeout", "soon"), 2, "--timeout");
  }

  /** What {@code status} shows of a node alone, its line in a cluster says too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Findings | [{'severity':'WARNING','key':'k'}] | warned | 1 warning",
        "Node | {'RootsRestored':2} | warned | 2 warnings",
        "Node | {'UpkeepErrors':15} | errors | 15 errors",
        "Node | {'DirsLost':1} | failed | 1 dir lost",
        "Dirs | [{'path':'/d','draining':true}] | draining | 1 dir draining",
        "Dirs | [{'path':'/d','trouble':'mode 555'}] | warned | 1 dir not in order",
        "Dirs | [{'path':'/d','foldersNotListed':2}] | warned | 2 folders not listed",
        "Dirs | [{'path':'/d','claimsDeleted':[{'uid':7}]}] | warned | 1 user with false claims"
      })
  void oneJudgeForANodeAndACluster(String attribute, String json, String state, String what)
      throws IOException {
    Map<String, String> info = sound(60);
    info.put(attribute, json.replace('\'', '"'));
    String address = node("nm:8042", Map.of("TempTierInfo", info));
    Run alone = Run.of("status", "--jmx", address, "--timeout", TIMEOUT);
    assertTrue(alone.out().contains("State: " + state + ", " + what), alone::toString);
    String hosts = hosts(List.of(address)).toString();
    Run cluster = Run.of("status", "--hosts", hosts, "--timeout", TIMEOUT, "--json", "-");
    JsonNode node = MAPPER.readTree(cluster.out()).at("/nodes/0");
    assertEquals(state, node.path("trouble").asText().toLowerCase(Locale.ROOT), cluster.out());
    assertEquals(what, node.path("what").asText());
  }
}
