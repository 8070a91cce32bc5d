// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Golden;
import io.temptier.cli.Run;
import io.temptier.cli.nodes.JmxUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
  private static final String NO_BEANS = "{\n  \"beans\" : [ ]\n}";

  private final Map<String, String> beans = new HashMap<>();
  private HttpServer server = unbound();
  private int httpCode = 200;

  private static HttpServer unbound() {
    try {
      return HttpServer.create();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          String name = query.substring(query.lastIndexOf("name=") + "name=".length());
          byte[] body = beans.getOrDefault(name, NO_BEANS).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(httpCode, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    beans.put("NodeManagerMetrics", recorded("node-manager-metrics"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static String recorded(String name) throws IOException {
    try (InputStream in = StatusCommandTest.class.getResourceAsStream("/jmx/" + name + ".json")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private Run status(String... more) {
    String[] args = new String[3 + more.length];
    args[0] = "status";
    args[1] = "--jmx";
    args[2] = address();
    System.arraycopy(more, 0, args, 3, more.length);
    return Run.of(args);
  }

  private String normal(String text) {
    return text.replace(address(), "NODE:8042");
  }

  /** YARN drops such a dir; its room is nobody's. */
  @Test
  void aDirThatTakesNoFilesIsNamedWithTheReason() throws IOException {
    String why = "user yarn may not write to it (mode r-xr-xr-x)";
    String path = "\\\"path\\\":\\\"/nvme0/yarn\\\",";
    String sound = recorded("active-idle");
    for (String readable : List.of("true", "false")) {
      String troubled =
          sound.replace(
              path + "\\\"readable\\\":true",
              path + "\\\"readable\\\":" + readable + ",\\\"trouble\\\":\\\"" + why + "\\\"");
      assertFalse(troubled.equals(sound), "the recording has the dir");
      beans.put("TempTierInfo", troubled);
      String said = status().out().replaceAll("\\s+", " ");
      assertTrue(
          said.contains(
              readable.equals("true")
                  ? "TempTier's folder in /nvme0/yarn is not in order: " + why
                  : "/nvme0/yarn cannot be used at the moment: " + why),
          said);
    }
  }

  @ParameterizedTest
  @CsvSource({"active-idle, 0", "active-busy, 0", "stock, 1"})
  void whatANodeManagerSays(String recording, int code) throws IOException {
    beans.put("TempTierInfo", recorded(recording));
    Run run = status();
    Golden.assertMatches("status-" + recording + ".txt", normal(run.out()));
    assertEquals(code, run.code());
    assertEquals("", run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shuffle-busy", "shuffle-off"})
  void whatItsShuffleHandlerSays(String recording) throws IOException {
    beans.put("TempTierInfo", recorded("active-idle"));
    beans.put("TempTierShuffleInfo", recorded(recording));
    Golden.assertMatches("status-" + recording + ".txt", normal(status().out()));
  }

  @Test
  void jsonHasTheSameNumbers() throws IOException {
    beans.put("TempTierInfo", recorded("active-busy"));
    beans.put("TempTierShuffleInfo", recorded("shuffle-busy"));
    Run run = status("--json", "-");
    Golden.assertMatches("status.json", normal(run.out()));
    JsonNode root = new ObjectMapper().readTree(run.out());
    assertEquals(1200, root.at("/tiers/0/FilesPlaced").asLong());
    assertEquals(42, root.at("/node/FilesSpilledDown").asLong());
    assertEquals(211, root.at("/shuffle/demotion/FilesDemoted").asLong());
  }

  @Test
  void aNodeManagerWithoutTempTierIsToldHowToSwitchItOn() {
    Run run = status();
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.err().contains("does not run TempTier"), run.err());
    assertTrue(run.err().contains("io.temptier.hadoop.NodeManagerTiering"), run.err());
  }

  @Test
  void anythingElseIsNoNodeManager() {
    beans.clear();
    Run other = status();
    assertEquals(ExitCodes.FAILED, other.code());
    assertTrue(other.err().contains("is no NodeManager"), other.err());
    beans.put("TempTierInfo", "<html>");
    assertTrue(status().err().contains("is no JSON"), status().err());
    httpCode = 404;
    assertTrue(status().err().contains("HTTP 404"), status().err());
    httpCode = 401;
    Run secure = status();
    assertEquals(ExitCodes.FAILED, secure.code());
    assertTrue(secure.err().contains("wants to know who asks"), secure.err());
  }

  @Test
  void anotherVersionIsToldAsSuch() {
    beans.put("TempTierInfo", "{\"beans\":[{\"Mode\":\"ACTIVE\",\"Tiers\":\"{oops\"}]}");
    Run run = status();
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.err().contains("of another version"), run.err());
  }

  @Test
  void aNodeManagerThatIsDownIsToldAsSuch() {
    server.stop(0);
    Run run = status();
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.err().contains("No NodeManager answers at http://127.0.0.1:"), run.err());
    assertFalse(run.err().contains("\tat "), run.err());
    server = unbound();
  }

  @Test
  void aDiskThatWasNotReadHasNoLatency() throws IOException {
    beans.put("TempTierInfo", recorded("active-idle"));
    beans.put(
        "TempTierShuffleInfo",
        recorded("shuffle-busy").replaceAll("(ReadLatency\\w+\\\\?\" ?: ?)\\d+", "$10"));
    String out = status().out();
    assertFalse(out.contains("0.0 ms"), out);
    assertTrue(out.replaceAll(" +", " ").contains("2.9 - - - 0 0"), out);
  }

  @Test
  void moreThanANodeManagerEverSaysIsNone() {
    beans.put("TempTierInfo", " ".repeat(17 << 20));
    Run run = status();
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.err().contains("/jmx is larger than 16 MiB"), run.err());
  }

  /** One that accepts and says nothing, and one that never ends what it says. */
  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"})
  void aNodeManagerThatHangsIsToldAsSuch(String answer) throws IOException {
    List<Socket> open = new CopyOnWriteArrayList<>();
    try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Thread server =
          new Thread(
              () -> {
                try {
                  while (true) {
                    Socket client = socket.accept();
                    open.add(client);
                    client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                  }
                } catch (IOException e) {
                  // The test is over.
                }
              });
      server.start();
      Run run = Run.of("status", "--jmx", "127.0.0.1:" + socket.getLocalPort());
      assertEquals(ExitCodes.FAILED, run.code());
      assertTrue(run.err().contains("No NodeManager answers at http://127.0.0.1:"), run.err());
      assertEquals(1, run.err().strip().lines().count(), run.err());
    } finally {
      for (Socket client : open) {
        client.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://nm1", "http://", "nm 1", "", "nm1:99999", "u:p@nm1", "nm1:x"})
  void addressesThatAreNone(String jmx) {
    Run run = Run.of("status", "--jmx", jmx);
    assertEquals(ExitCodes.WRONG_USE, run.code());
    assertTrue(run.err().contains("--jmx"), run.err());
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
  void addressesAsPeopleTypeThem(String typed, String expected) throws URISyntaxException {
    assertEquals(expected, JmxUrl.parse(typed).toString());
  }
}
