// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.io.InputStream;

/** How the pages of a cluster's daemons are asked. Safe for use by many threads. */
public interface WebPages {
  /** Without TLS, as nobody in particular. */
  WebPages PLAIN = new PlainPages();

  /** {@code http} or {@code https}. */
  String scheme();

  /**
   * Opens a page.
   *
   * @return to be closed
   * @throws IOException when the daemon does not answer, or not with status 200
   */
  InputStream open(String url) throws IOException;
}
