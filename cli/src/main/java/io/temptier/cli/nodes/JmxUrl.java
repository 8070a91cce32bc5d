// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.google.auto.value.AutoValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a NodeManager, or another of Hadoop's daemons, serves its pages. */
@AutoValue
public abstract class JmxUrl {

  /** Where a NodeManager of this machine serves them by default. */
  public static final String DEFAULT = "http://localhost:8042";

  private static final int DEFAULT_PORT = 8042;
  private static final int MAX_PORT = 65535;

  /** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("([\\w.-]+|\\[[0-9A-Fa-f:.]+(?:%\\w+)?\\])(?::(\\d{1,5}))?");

  /** Scheme, host and port, such as {@code http://nm1:8042}. */
  public abstract URI base();

  public static JmxUrl of(URI base) {
    return new AutoValue_JmxUrl(base);
  }

  /** Parses what people type: a host, a host and port, or a URL with or without {@code /jmx}. */
  public static JmxUrl parse(String text) throws URISyntaxException {
    return parse(text, "http", DEFAULT_PORT);
  }

  /** The same for texts without a scheme, or with neither scheme nor port. */
  static JmxUrl parse(String text, String scheme, int defaultPort) throws URISyntaxException {
    String trimmed = text.trim();
    URI uri = new URI(trimmed.contains("://") ? trimmed : scheme + "://" + trimmed);
    // Neither schemes nor names of hosts differ by their case.
    String web = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean http = web.equals("http") || web.equals("https");
    // Not getHost(): it knows no name with an underscore, and Docker and Windows give such names.
    String authority = uri.getRawAuthority();
    Matcher parts = AUTHORITY.matcher(authority == null ? "" : authority);
    if (!http || !parts.matches() || port(parts.group(2)) > MAX_PORT) {
      throw new URISyntaxException(text, "expected HOST, HOST:PORT or http://HOST:PORT");
    }
    // A port is left out of URLs behind a proxy, and of bare hosts by habit.
    boolean bare = parts.group(2) == null && !trimmed.contains("://");
    return JmxUrl.of(
        URI.create(
            web
                + "://"
                + String.valueOf(authority).toLowerCase(Locale.ROOT)
                + (bare ? ":" + defaultPort : "")));
  }

  private static int port(@Nullable String digits) {
    return digits == null ? DEFAULT_PORT : Integer.parseInt(digits);
  }

  /** The address of the beans of an object name, or of a pattern of one. */
  URI query(String name) {
    return URI.create(base() + "/jmx?qry=" + name);
  }

  /** The address of a page, such as {@code /ws/v1/cluster/nodes}. */
  URI page(String path) {
    return URI.create(base() + path);
  }

  /** Host and port as they were typed. */
  public String authority() {
    return base().getRawAuthority();
  }

  @Override
  public final String toString() {
    return base().toString();
  }
}
