// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A store on loopback that takes every upload and holds nothing else: enough for S3A to write. */
final class AcceptingStore implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Integer> uploads = new ConcurrentHashMap<>();

  AcceptingStore() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Bytes on the wire by path, without the query. */
  Map<String, Integer> uploads() {
    return new TreeMap<>(uploads);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      int length = exchange.getRequestBody().readAllBytes().length;
      byte[] body = new byte[0];
      int code = 200;
      switch (exchange.getRequestMethod()) {
        case "PUT" -> {
          uploads.merge(exchange.getRequestURI().getPath(), length, Integer::sum);
          exchange.getResponseHeaders().set("ETag", "\"0\"");
        }
        case "GET" -> {
          exchange.getResponseHeaders().set("Content-Type", "application/xml");
          body = "<ListBucketResult></ListBucketResult>".getBytes(StandardCharsets.UTF_8);
        }
        case "DELETE" -> code = 204;
        default -> code = 404;
      }
      exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
