// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.Later;
import io.temptier.tier.os.Threads;
import io.temptier.tier.text.Sizes;
import io.temptier.tier.text.TextTable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a NodeManager for its beans, or another of Hadoop's daemons for its pages. Calls may take
 * longer than they should, so they are made by {@link #askAll}.
 */
public final class JmxClient {
  /** Enough for a cluster of a thousand in some seconds, and not too much for a laptop. */
  private static final int PARALLEL = 256;

  private static final Executor THREADS = work -> Threads.run("asks a node", work);
  private static final String BEANS = "/jmx?qry=Hadoop:service=NodeManager,name=";

  /** Some hundred times what a NodeManager says. */
  private static final int MAX_BYTES = 16 << 20;

  private final WebOptions web;
  private final URI url;
  private final Duration patience;
  private final String daemon;

  /**
   * Asks a daemon that has this name for people.
   *
   * @param patience time for all requests together
   */
  JmxClient(WebOptions web, URI url, Duration patience, String daemon) {
    this.web = web;
    this.url = url;
    this.patience = patience;
    this.daemon = daemon;
  }

  @FunctionalInterface
  public interface Query<T> {
    T ask(JmxClient daemon) throws NodeFailure;
  }

  /** Failure of a daemon to answer: in a few words, and with what to do about it. */
  public static final class NodeFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private static final Map<String, List<String>> ROWS =
        TextTable.byName(JmxClient.class, "failures.txt", 3);

    private final String name;
    private final String brief;

    private NodeFailure(String name, @Nullable Throwable cause, Object... values) {
      super(text(name, 2, values), cause);
      this.name = name;
      this.brief = text(name, 1, values);
    }

    private static String text(String name, int column, Object... values) {
      List<String> row = Objects.requireNonNull(ROWS.get(name), name);
      return TextTable.fill(row.get(column).replace("\\n", "\n"), values);
    }

    /** Fits a column of a table. */
    public String brief() {
      return brief;
    }

    /** True if a NodeManager answered that does not run TempTier. */
    public boolean withoutTempTier() {
      return name.equals("without");
    }
  }

  /**
   * A failure of this daemon: a row of the table {@code failures.txt} beside this class.
   *
   * @param values what is known besides its address and its name
   */
  public NodeFailure failure(String row, @Nullable Throwable cause, Object... values) {
    return new NodeFailure(
        row,
        cause,
        Stream.concat(Stream.of(url, daemon, daemon.toLowerCase(Locale.ROOT)), Stream.of(values))
            .toArray());
  }

  /**
   * Asks many the same, so many at a time, each within its patience; for {@link #answer}. One that
   * hangs costs its place until then only: the thread that waits for it is left behind, and ends
   * with the connection or the process.
   */
  static <T> List<CompletableFuture<T>> askAll(List<JmxClient> daemons, Query<T> question)
      throws InterruptedException {
    Semaphore places = new Semaphore(PARALLEL);
    List<CompletableFuture<T>> answers = new ArrayList<>();
    for (JmxClient daemon : daemons) {
      places.acquire();
      CompletableFuture<T> answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return question.ask(daemon);
                } catch (NodeFailure e) {
                  throw new CompletionException(e);
                }
              },
              THREADS);
      Future<?> timeout =
          Later.after(daemon.patience, () -> answer.completeExceptionally(new TimeoutException()));
      answers.add(
          answer.whenComplete(
              (result, failure) -> {
                timeout.cancel(false);
                places.release();
              }));
    }
    return answers;
  }

  <T> T answer(CompletableFuture<T> asked) throws NodeFailure {
    try {
      return asked.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof NodeFailure) {
        throw (NodeFailure) cause;
      }
      if (cause instanceof TimeoutException) {
        throw late(cause);
      }
      // What a node says may be anything, and must not end the round.
      throw failure("nonsense", cause, String.valueOf(cause));
    }
  }

  /** Scheme, host and port, such as {@code http://nm1:8042}. */
  public URI url() {
    return url;
  }

  /** Host and port as they were typed. */
  public String node() {
    return url.getRawAuthority();
  }

  /**
   * The attributes of a bean, such as {@code TempTierInfo}, that every NodeManager with TempTier
   * has. The failure says what to do when there is no NodeManager, or it does not run TempTier.
   */
  public JsonNode needed(String name) throws NodeFailure {
    Optional<JsonNode> bean = bean(name);
    if (bean.isPresent()) {
      return bean.get();
    }
    throw failure(bean("NodeManagerMetrics").isPresent() ? "without" : "no.nodemanager", null);
  }

  /** The attributes of a bean, by its name among the NodeManager's; empty when there is none. */
  public Optional<JsonNode> bean(String name) throws NodeFailure {
    JsonNode beans = json(BEANS + name).path("beans");
    return beans.isArray() && !beans.isEmpty() ? Optional.of(beans.get(0)) : Optional.empty();
  }

  /** A page of JSON, such as {@code /jmx}. */
  public JsonNode json(String path) throws NodeFailure {
    URI page = URI.create(url + path);
    try {
      HttpURLConnection connection = web.open(page, patience);
      try {
        return read(connection, url + page.getPath());
      } finally {
        connection.disconnect();
      }
    } catch (SSLException e) {
      throw failure("https", e, deepest(e));
    } catch (SocketTimeoutException e) {
      throw late(e);
    } catch (IOException e) {
      if (e.getCause() instanceof AuthenticationException) {
        throw failure("kerberos", e, deepest(e));
      }
      String message = e.getMessage() == null ? "" : ": " + e.getMessage();
      throw failure("no.answer", e, e.getClass().getSimpleName() + message);
    }
  }

  private NodeFailure late(Throwable cause) {
    String seconds = String.valueOf(patience.toMillis() / 1000.0).replaceAll("\\.0$", "");
    return failure("no.answer", cause, "no answer within " + seconds + " s");
  }

  private static String deepest(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  private JsonNode read(HttpURLConnection answer, String page) throws NodeFailure, IOException {
    int code = answer.getResponseCode();
    if (code == HttpURLConnection.HTTP_UNAUTHORIZED || code == HttpURLConnection.HTTP_FORBIDDEN) {
      throw failure("http.who", null, code);
    }
    if (code != HttpURLConnection.HTTP_OK) {
      throw failure("http", null, code);
    }
    byte[] body = Io.readNBytes(answer.getInputStream(), MAX_BYTES + 1);
    if (body.length > MAX_BYTES) {
      throw failure("large", null, Sizes.format(MAX_BYTES), page);
    }
    try {
      return Json.MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw failure("no.json", e, page);
    }
  }
}
