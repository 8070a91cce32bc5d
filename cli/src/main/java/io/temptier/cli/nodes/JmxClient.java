// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.tier.os.Io;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks a NodeManager for its beans. Calls may take longer than they should, so they are made by
 * {@link FanOut}.
 */
public final class JmxClient {
  private static final String BEANS = "/jmx?qry=Hadoop:service=NodeManager,name=";

  /** Some hundred times what a NodeManager says. */
  private static final int MAX_BYTES = 16 << 20;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final WebOptions web;
  private final JmxUrl url;
  private final Duration patience;

  /** Waits for each answer as long as {@code patience}. */
  JmxClient(WebOptions web, JmxUrl url, Duration patience) {
    this.web = web;
    this.url = url;
    this.patience = patience;
  }

  public JmxUrl url() {
    return url;
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
    if (!bean("NodeManagerMetrics").isPresent()) {
      throw new NodeFailure(
          "is no NodeManager",
          url
              + " answers, but is no NodeManager. Name one by --jmx HOST:PORT; the port is that of"
              + " yarn.nodemanager.webapp.address (8042 by default).",
          null);
    }
    throw NodeFailure.withoutTempTier(
        "The NodeManager at "
            + url
            + " does not run TempTier. To switch it on, put the jar of tiered-localdirs on its"
            + " classpath, put into its yarn-site.xml\n"
            + "<property><name>yarn.nodemanager.container-state-transition-listener.classes</name>"
            + "<value>io.temptier.hadoop.NodeManagerTiering</value></property>\n"
            + "and restart it. 'temptier doctor --conf-dir DIR' checks the files first.");
  }

  /** The attributes of a bean, by its name among the NodeManager's; empty when there is none. */
  public Optional<JsonNode> bean(String name) throws NodeFailure {
    JsonNode beans = json(url.page(BEANS + name), "NodeManager").path("beans");
    return beans.isArray() && !beans.isEmpty() ? Optional.of(beans.get(0)) : Optional.empty();
  }

  /** A page of JSON, of the daemon that should answer there. */
  JsonNode json(URI page, String daemon) throws NodeFailure {
    try {
      HttpURLConnection connection = web.open(page, patience);
      try {
        return read(connection, page, daemon);
      } finally {
        connection.disconnect();
      }
    } catch (SSLException e) {
      String why = deepest(e);
      throw new NodeFailure(
          "https: " + why,
          String.format(
              "%s does not speak https as it should (%s). Name the certificates to trust by"
                  + " --truststore FILE.",
              url, why),
          e);
    } catch (SocketTimeoutException e) {
      throw noAnswer(daemon, url, patience, e);
    } catch (IOException e) {
      if (e.getCause() instanceof AuthenticationException) {
        String why = deepest(e);
        throw new NodeFailure(
            "Kerberos: " + why, url + " does not let this user in by Kerberos (" + why + ").", e);
      }
      String message = e.getMessage() == null ? "" : ": " + e.getMessage();
      throw noAnswer(daemon, url, e.getClass().getSimpleName() + message, e);
    }
  }

  /** What people are told when nothing came in time. */
  static NodeFailure noAnswer(String daemon, JmxUrl url, Duration patience, Throwable cause) {
    String seconds = String.valueOf(patience.toMillis() / 1000.0).replaceAll("\\.0$", "");
    return noAnswer(daemon, url, "no answer within " + seconds + " s", cause);
  }

  private static NodeFailure noAnswer(String daemon, JmxUrl url, String why, Throwable cause) {
    return new NodeFailure(
        why,
        String.format(
            "No %s answers at %s (%s). Is it running, and is this the address of its web pages"
                + " (yarn.%s.webapp.address)?",
            daemon, url, why, daemon.toLowerCase(Locale.ROOT)),
        cause);
  }

  private static String deepest(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  private JsonNode read(HttpURLConnection answer, URI page, String daemon)
      throws NodeFailure, IOException {
    int code = answer.getResponseCode();
    if (code == HttpURLConnection.HTTP_UNAUTHORIZED || code == HttpURLConnection.HTTP_FORBIDDEN) {
      throw new NodeFailure(
          "HTTP " + code + ": wants to know who asks, see --negotiate",
          String.format(
              "%s wants to know who asks (HTTP %d). Ask with --negotiate after kinit, as a user who"
                  + " may see its pages (such as one of yarn.admin.acl).",
              url, code),
          null);
    }
    String none = ", so it is no " + daemon + ".";
    if (code != HttpURLConnection.HTTP_OK) {
      throw new NodeFailure("HTTP " + code, url + " answers with HTTP " + code + none, null);
    }
    byte[] body = Io.readNBytes(answer.getInputStream(), MAX_BYTES + 1);
    String path = url + page.getPath();
    if (body.length > MAX_BYTES) {
      String size = Sizes.format(MAX_BYTES);
      throw new NodeFailure(
          "answers more than " + size, path + " is larger than " + size + none, null);
    }
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new NodeFailure("answers no JSON", path + " is no JSON" + none, e);
    }
  }
}
