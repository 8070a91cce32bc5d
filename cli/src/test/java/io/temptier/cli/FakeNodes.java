// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Web servers on loopback that answer as Hadoop's daemons do, until the test ends. */
public final class FakeNodes implements AfterEachCallback {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<HttpServer> servers = new ArrayList<>();
  private final List<ServerSocket> hung = new ArrayList<>();

  /** A daemon with a page for each bean that may be asked for; returns its host and port. */
  public String serve(int code, UnaryOperator<String> pages) throws IOException {
    HttpServer server = HttpServer.create();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          String bean = query.substring(query.lastIndexOf('=') + 1);
          byte[] body = pages.apply(bean).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(code, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** The same with pages by their beans, and no bean beyond them. */
  public String serve(int code, Map<String, String> pages) throws IOException {
    return serve(code, bean -> pages.getOrDefault(bean, "{\n  \"beans\" : [ ]\n}"));
  }

  /** A NodeManager with the attributes of some beans. */
  public String node(Map<String, ? extends Map<String, ?>> beans) throws IOException {
    Map<String, String> pages = new HashMap<>();
    for (Map.Entry<String, ? extends Map<String, ?>> bean : beans.entrySet()) {
      pages.put(
          bean.getKey(), MAPPER.writeValueAsString(Map.of("beans", List.of(bean.getValue()))));
    }
    return serve(200, pages);
  }

  /** One that never answers: the kernel accepts, and nobody ever reads. */
  public String hung() throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    hung.add(socket);
    return "127.0.0.1:" + socket.getLocalPort();
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    servers.forEach(server -> server.stop(0));
    for (ServerSocket socket : hung) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
