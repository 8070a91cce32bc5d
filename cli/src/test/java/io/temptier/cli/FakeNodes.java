// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Web servers on loopback that answer as Hadoop's daemons do, until the test ends. */
public final class FakeNodes implements AfterEachCallback {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<HttpServer> servers = new ArrayList<>();
  private final List<Closeable> hung = new CopyOnWriteArrayList<>();

  /** A server of any pages; returns its host and port. */
  public String serve(HttpHandler handler) throws IOException {
    HttpServer server = HttpServer.create();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", handler);
    server.start();
    servers.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** A daemon with a page for each bean that may be asked for. */
  public String serve(int code, UnaryOperator<String> pages) throws IOException {
    return serve(
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          answer(exchange, code, pages.apply(query.substring(query.lastIndexOf('=') + 1)));
        });
  }

  public static void answer(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
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

  /** One that answers nobody, and ends at that time. */
  public String hungUntil(CountDownLatch over) throws IOException {
    ServerSocket socket = listening();
    Future<?> unused =
        threads.submit(
            () -> {
              // A client whose connection is closed tries another.
              try (ServerSocket closed = socket;
                  Socket client = closed.accept()) {
                over.await();
                client.shutdownOutput();
              }
              return null;
            });
    return "127.0.0.1:" + socket.getLocalPort();
  }

  /** One that begins its first answer so, if with nothing, and never ends it. */
  public String hung(String begun) throws IOException {
    ServerSocket socket = listening();
    Future<?> unused =
        threads.submit(
            () -> {
              Socket client = socket.accept();
              hung.add(client);
              client.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
              return null;
            });
    return "127.0.0.1:" + socket.getLocalPort();
  }

  private ServerSocket listening() throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    hung.add(socket);
    return socket;
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    servers.forEach(server -> server.stop(0));
    for (Closeable socket : hung) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
