// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import io.temptier.cli.Version;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a reader of a report needs to know of the machine it was made on. */
public final class MachineFacts {
  private MachineFacts() {}

  /**
   * Gathers them, in the order to show them.
   *
   * @param command that makes the report
   */
  public static Map<String, String> of(String command) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", command);
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("TempTier", Version.ofTempTier());
    facts.put("Java", Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    return facts;
  }

  private static String memory() throws IOException {
    Path file = Path.of("/proc/meminfo");
    if (!Files.isReadable(file)) {
      return "unknown";
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .map(line -> line.replaceAll("\\D", ""))
        .map(kib -> Sizes.format(Long.parseLong(kib) << 10))
        .findFirst()
        .orElse("unknown");
  }
}
