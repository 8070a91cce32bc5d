// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** As much of a store as the SDK needs, which can be killed, started again, and made to fail. */
final class FakeGateway {
  /** What is counted of an address stays as long as the JVM does, so none is used twice. */
  private static final Set<Integer> USED = ConcurrentHashMap.newKeySet();

  private static final String XML = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  private static final String ETAG = tag("ETag", "\"1\"");

  /** Before the key of an object of parts, where its ETag is kept. */
  private static final String ETAGS = "\netag\n";

  private final Map<String, byte[]> objects;
  private final Map<String, byte[]> parts;
  private final int port;

  /** Requests it got, probes left out. */
  final AtomicInteger requests = new AtomicInteger();

  final AtomicInteger probes = new AtomicInteger();

  /** The hosts that requests were for, by what they were signed for. */
  final List<String> hosts = new CopyOnWriteArrayList<>();

  /** Status of every answer; 0 for right answers. */
  volatile int failing;

  /**
   * Bytes of an object that it still sends before it says nothing more; 0 when it does not even
   * read requests to their end, less than 0 when it answers.
   */
  volatile int silentAfter = -1;

  /** A page of HTML that answers everything; empty for right answers. */
  volatile String page = "";

  /** True when it sends half of each object, and announces no more. */
  volatile boolean halves;

  volatile long delayMillis;

  /** True when it completes uploads, and breaks the connection off instead of saying so. */
  volatile boolean endsBreak;

  private @Nullable HttpServer server;
  private @Nullable ExecutorService threads;

  /**
   * Starts one.
   *
   * @param objects by key; shared with the other gateways
   * @param parts of uploads, by key and number; shared, too
   */
  FakeGateway(Map<String, byte[]> objects, Map<String, byte[]> parts) throws IOException {
    this.objects = objects;
    this.parts = parts;
    int port = listen(0);
    while (!USED.add(port)) {
      kill();
      port = listen(0);
    }
    this.port = port;
  }

  private int listen(int wanted) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 0);
    threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    return server.getAddress().getPort();
  }

  String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** Ends it, connections included. */
  void kill() {
    if (server != null && threads != null) {
      server.stop(0);
      threads.shutdownNow();
      server = null;
    }
  }

  void restart() throws IOException {
    listen(port);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      URI uri = exchange.getRequestURI();
      Map<String, String> query = query(uri);
      (query.containsKey("location") ? probes : requests).incrementAndGet();
      String signed = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      if (signed.contains("host;") || signed.contains("host,")) {
        hosts.add(String.valueOf(exchange.getRequestHeaders().getFirst("Host")));
      }
      if (silentAfter == 0) {
        pause(Long.MAX_VALUE);
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (failing != 0) {
        send(exchange, failing, new byte[0]);
        return;
      }
      if (!page.isEmpty()) {
        exchange.getResponseHeaders().set("Content-Type", "text/html");
        send(exchange, 200, page.getBytes(StandardCharsets.UTF_8));
        return;
      }
      pause(delayMillis);
      String key = uri.getPath().replaceFirst("^/[^/]*/?", "");
      exchange.getResponseHeaders().set("ETag", "\"1\"");
      switch (exchange.getRequestMethod()) {
        case "PUT" -> put(exchange, key, query, body);
        case "POST" -> post(exchange, key, query);
        case "GET" -> get(exchange, key, query);
        case "HEAD" -> {
          byte[] object = objects.get(key);
          if (object != null) {
            exchange.getResponseHeaders().set("ETag", etag(key));
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(object.length));
          }
          exchange.sendResponseHeaders(object == null ? 404 : 200, -1);
        }
        default -> send(exchange, 204, new byte[0]);
      }
    }
  }

  /** Says nothing for so long, or until it is killed. */
  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private void put(HttpExchange exchange, String key, Map<String, String> query, byte[] body)
      throws IOException {
    String source = exchange.getRequestHeaders().getFirst("x-amz-copy-source");
    byte[] bytes = body;
    if (source != null) {
      byte[] all = objects.getOrDefault(source.replaceFirst("^/?[^/]*/", ""), new byte[0]);
      String range = exchange.getRequestHeaders().getFirst("x-amz-copy-source-range");
      bytes = range == null ? all : slice(all, range);
    }
    String part = query.get("partNumber");
    if (part == null) {
      objects.put(key, bytes);
    } else {
      parts.put(key + "\n" + String.format("%05d", Integer.parseInt(part)), bytes);
    }
    String result = part == null ? "CopyObjectResult" : "CopyPartResult";
    xml(exchange, source == null ? "" : tag(result, ETAG));
  }

  private void post(HttpExchange exchange, String key, Map<String, String> query)
      throws IOException {
    if (query.containsKey("uploads")) {
      xml(exchange, tag("InitiateMultipartUploadResult", tag("UploadId", "u1")));
      return;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteArrayOutputStream tags = new ByteArrayOutputStream();
    int count = 0;
    for (Map.Entry<String, byte[]> part : new TreeMap<>(parts).entrySet()) {
      if (part.getKey().startsWith(key + "\n")) {
        all.write(part.getValue());
        tags.write(md5(part.getValue()));
        count++;
      }
    }
    if (all.size() == 0) {
      String error = tag("Error", tag("Code", "NoSuchUpload"));
      send(exchange, 404, error.getBytes(StandardCharsets.UTF_8));
      return;
    }
    parts.keySet().removeIf(part -> part.startsWith(key + "\n"));
    objects.put(key, all.toByteArray());
    String etag = HexFormat.of().formatHex(md5(tags.toByteArray())) + "-" + count;
    parts.put(ETAGS + key, etag.getBytes(StandardCharsets.UTF_8));
    if (endsBreak) {
      throw new IOException("broken off");
    }
    xml(exchange, tag("CompleteMultipartUploadResult", ETAG));
  }

  private void get(HttpExchange exchange, String key, Map<String, String> query)
      throws IOException {
    if (query.containsKey("location")) {
      xml(exchange, tag("LocationConstraint", ""));
      return;
    }
    if (key.isEmpty()) {
      String after = query.getOrDefault("continuation-token", "");
      List<String> names = objects.keySet().stream().filter(n -> n.compareTo(after) > 0).toList();
      int most = Integer.parseInt(query.getOrDefault("max-keys", "1000"));
      List<String> page = names.subList(0, Math.min(most, names.size()));
      boolean more = names.size() > page.size();
      String list = tag("IsTruncated", Boolean.toString(more));
      if (more) {
        list += tag("NextContinuationToken", page.get(page.size() - 1));
      }
      for (String name : page) {
        list += tag("Contents", tag("Key", name) + tag("Size", "1"));
      }
      xml(exchange, tag("ListBucketResult", list));
      return;
    }
    byte[] object = objects.get(key);
    if (object == null) {
      String error = tag("Error", tag("Code", "NoSuchKey"));
      send(exchange, 404, error.getBytes(StandardCharsets.UTF_8));
    } else if (silentAfter > 0) {
      exchange.sendResponseHeaders(200, object.length);
      exchange.getResponseBody().write(object, 0, silentAfter);
      exchange.getResponseBody().flush();
      pause(Long.MAX_VALUE);
    } else if (halves) {
      String range = "bytes 0-" + (object.length - 1) + "/" + object.length;
      exchange.getResponseHeaders().set("Content-Range", range);
      send(exchange, 206, Arrays.copyOf(object, object.length / 2));
    } else {
      send(exchange, 200, object);
    }
  }

  private String etag(String key) {
    byte[] etag = parts.getOrDefault(ETAGS + key, new byte[] {'1'});
    return '"' + new String(etag, StandardCharsets.UTF_8) + '"';
  }

  static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String tag(String name, String text) {
    return "<" + name + ">" + text + "</" + name + ">";
  }

  private static byte[] slice(byte[] all, String range) {
    String[] ends = range.replace("bytes=", "").split("-", -1);
    return Arrays.copyOfRange(all, Integer.parseInt(ends[0]), Integer.parseInt(ends[1]) + 1);
  }

  private static Map<String, String> query(URI uri) {
    Map<String, String> query = new TreeMap<>();
    String text = uri.getQuery();
    for (String pair : text == null ? new String[0] : text.split("&", -1)) {
      String[] parts = (pair + "=").split("=", -1);
      query.put(parts[0], parts[1]);
    }
    return query;
  }

  private static void xml(HttpExchange exchange, String text) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    send(
        exchange,
        200,
        text.isEmpty() ? new byte[0] : (XML + text).getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
