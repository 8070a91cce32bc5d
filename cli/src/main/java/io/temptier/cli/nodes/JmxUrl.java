// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.google.auto.value.AutoValue;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  abstract URI base();

  /**
   * Parses what people type: a host, a host and port, or a URL with or without {@code /jmx}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static JmxUrl parse(String text) {
    return parse(text, DEFAULT_PORT);
  }

  /** The same with another port for a host alone. */
  static JmxUrl parse(String text, int defaultPort) {
    String trimmed = text.trim();
    URI uri = URI.create(trimmed.contains("://") ? trimmed : "http://" + trimmed);
    // Neither schemes nor names of hosts differ by their case.
    String web = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    // Not getHost(): it knows no name with an underscore, and Docker and Windows give such names.
    String authority = String.valueOf(uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    Matcher parts = AUTHORITY.matcher(authority);
    if (!(web.equals("http") || web.equals("https"))
        || uri.getRawAuthority() == null
        || !parts.matches()
        || (parts.group(2) != null && Integer.parseInt(parts.group(2)) > MAX_PORT)) {
      throw new IllegalArgumentException("expected HOST, HOST:PORT or http://HOST:PORT");
    }
    // A port is left out of URLs behind a proxy, and of bare hosts by habit.
    boolean bare = parts.group(2) == null && !trimmed.contains("://");
    return new AutoValue_JmxUrl(
        URI.create(web + "://" + authority + (bare ? ":" + defaultPort : "")));
  }

  /** The address of a page, such as {@code /jmx}. */
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
