// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a reader of a report needs to know of the machine it was made on. */
public final class MachineFacts {
  /** The fact that says what {@link #load} was before anything was measured. */
  public static final String LOAD_BEFORE = "load before";

  private static final String UNKNOWN = "unknown";

  /** Of a machine's cores, the share that others may take before figures are doubtful. */
  private static final double BUSY = 0.5;

  private MachineFacts() {}

  /**
   * Gathers them, in the order to show them.
   *
   * @param work a folder on the disk that is used
   * @param command that makes the report
   */
  public static Map<String, String> gather(HadoopRuntime runtime, Path work, String command)
      throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", command);
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("TempTier", BuildVersion.get());
    facts.put(
        "Java",
        "%s (%s)"
            .formatted(
                System.getProperty("java.runtime.version"), System.getProperty("java.vendor")));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    long memory = MemoryFolder.bytes(MemoryFolder.MEMORY, "MemTotal");
    facts.put("memory", memory == 0 ? UNKNOWN : Sizes.format(memory));
    facts.put("Hadoop", runtime.version());
    facts.put("Java of the cluster", runtime.javaVersion());
    FileStore store = Files.getFileStore(work);
    facts.put(
        "disk",
        "%s, %s, %s free"
            .formatted(
                store.type(),
                Sizes.format(store.getTotalSpace()),
                Sizes.format(store.getUsableSpace())));
    return facts;
  }

  /** The load of the whole machine, over 1, 5 and 15 minutes; where none is told, says so. */
  public static String load() {
    try {
      String line = Files.readString(Path.of("/proc/loadavg"));
      return String.join(" ", List.of(line.split(" ", -1)).subList(0, 3));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Why figures measured there are to be doubted, in a word or two each; mostly none. */
  public static List<String> doubts(Map<String, String> facts) {
    String load = facts.getOrDefault(LOAD_BEFORE, UNKNOWN);
    boolean busy =
        !load.equals(UNKNOWN)
            && Double.parseDouble(load.split(" ", -1)[0])
                > BUSY * Integer.parseInt(facts.getOrDefault("cores", "1"));
    return busy ? List.of("machine was busy") : List.of();
  }
}
