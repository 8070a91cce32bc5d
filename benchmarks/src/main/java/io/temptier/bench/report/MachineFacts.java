// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.tier.BuildVersion;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a reader of a report needs to know of the machine it was made on. */
public final class MachineFacts {
  /** The fact that says what {@link #load} was before anything was measured. */
  public static final String LOAD_BEFORE = "load before";

  /** The fact that names the trace of what was run. */
  public static final String TRACE = "trace";

  /** How the name of a trace begins that was made up. */
  public static final String SYNTHETIC = "synthetic";

  private static final String UNKNOWN = "unknown";

  /** Of a machine's cores, the share that others may take before figures are doubtful. */
  private static final double BUSY = 0.5;

  private MachineFacts() {}

  /** Gathers them, in the order to show them, with the command that makes the report. */
  public static Map<String, String> of(String command) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", command);
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("TempTier", BuildVersion.get());
    facts.put(
        "Java",
        System.getProperty("java.runtime.version")
            + " ("
            + System.getProperty("java.vendor")
            + ")");
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    return facts;
  }

  /** The load of the whole machine, over 1, 5 and 15 minutes; where none is told, says so. */
  public static String load() {
    try {
      String line = Io.readString(Paths.get("/proc/loadavg"));
      return String.join(" ", Immutable.listOf(line.split(" ", -1)).subList(0, 3));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Why figures measured there are to be doubted, in a word or two each; mostly none. */
  public static List<String> doubts(Map<String, String> facts) {
    List<String> doubts = new ArrayList<>();
    if (facts.getOrDefault(TRACE, "").startsWith(SYNTHETIC)) {
      doubts.add("synthetic trace");
    }
    String load = facts.getOrDefault(LOAD_BEFORE, UNKNOWN);
    if (!load.equals(UNKNOWN)
        && Double.parseDouble(load.split(" ", -1)[0])
            > BUSY * Integer.parseInt(facts.getOrDefault("cores", "1"))) {
      doubts.add("machine was busy");
    }
    return doubts;
  }

  private static String memory() {
    try {
      return Files.readAllLines(Paths.get("/proc/meminfo")).stream()
          .filter(line -> line.startsWith("MemTotal:"))
          .map(line -> line.replaceAll("\\D", ""))
          .map(kib -> Sizes.format(Long.parseLong(kib) << 10))
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
