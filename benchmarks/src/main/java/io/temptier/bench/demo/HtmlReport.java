// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.report.Page;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * {@code report.html}: one file that needs no network, its charts drawn by the inlined Chart.js.
 */
final class HtmlReport {
  private static final String TEMPLATE = "/io/temptier/bench/demo/report.html";
  private static final String CHART_JS =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.js";

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param report what {@link DemoJson} made
   * @throws IOException when this build lacks the template or Chart.js
   */
  static String of(JsonNode report) throws IOException {
    // In a script, "</" would end it wherever it stands.
    String data = report.toString().replace("</", "<\\/").replace("<!--", "<\\!--");
    String script = resource(CHART_JS).replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    return resource(TEMPLATE)
        .replace("/*STYLE*/", Page.style())
        .replace("/*CHART_JS*/", script)
        .replace("\"REPORT_JSON\"", data);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("The class path of this JVM has no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
