// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Web servers that answer for beans as those of NodeManagers do, until a test ends. */
final class WebNodes implements AfterEachCallback {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<HttpServer> servers = new ArrayList<>();

  /** Starts one with beans by their names, and gives its address. */
  String node(Map<String, Map<String, String>> beans) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          Map<String, String> bean = beans.get(query.substring(query.lastIndexOf('=') + 1));
          List<?> found = bean == null ? List.of() : List.of(bean);
          byte[] body = MAPPER.writeValueAsBytes(Map.of("beans", found));
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    servers.forEach(server -> server.stop(0));
  }
}
