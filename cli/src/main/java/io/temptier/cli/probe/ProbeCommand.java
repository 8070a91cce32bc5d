// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Deadline;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.LocalDirsParser.Entry;
import io.temptier.tier.LocalDirsParser.Parsed;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code probe} command. */
@Command(
    name = "probe",
    description = {
      "Measures how fast the disks of local dirs answer, one after the other.",
      "It asks for 4 kB anywhere in a file, one request at a time, 70 %% reads, past the page"
          + " cache, and orders the dirs by it. Warns where a tag says something else. Writes a"
          + " file of --size into each dir and deletes it."
    },
    exitCodeList = {
      "0:tags and disks agree",
      "1:they do not, or a dir cannot be used",
      "2:wrong use"
    })
public final class ProbeCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "Dirs, with tags or without, as in temptier.local-dirs: [NVME]/nvme0/yarn.")
  private List<String> dirs = new ArrayList<>();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description =
          "How long to ask each disk, and at most to write the file (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "256m",
      description = "The file's size (default: ${DEFAULT-VALUE}).")
  private String size = "";

  @Override
  public Integer call() {
    terminal.atLeastOne("--seconds", seconds);
    long bytes = terminal.size("--size", size);
    if (bytes < 1 << 20) {
      throw terminal.wrongUse("--size=" + size + " is less than 1m");
    }
    List<Entry> entries = entries();
    DeviceProbe probe = new DeviceProbe(bytes, Duration.ofSeconds(seconds));
    List<ProbedDir> probed = new ArrayList<>();
    try (Progress progress = terminal.progress("probe")) {
      for (Entry entry : entries) {
        progress.say(entry.path().toString());
        // It asks for twice the seconds at most: to write the file, and to measure.
        AtomicLong end = new AtomicLong(System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * seconds));
        probed.add(Deadline.orFail("measure " + entry.path(), end, () -> measure(entry, probe)));
      }
    }
    probed.sort(Comparator.comparingDouble(ProbedDir::micros));
    String suggestion = probed.stream().map(ProbedDir::tagged).collect(Collectors.joining(","));
    List<String> warnings = ProbedDir.warnings(probed);
    json.write(
        Json.object()
            .putPOJO("dirs", probed)
            .put("localDirs", suggestion)
            .putPOJO("warnings", warnings),
        terminal);
    print(probed, suggestion, warnings, json.textOf(terminal));
    return warnings.isEmpty() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private static ProbedDir measure(Entry entry, DeviceProbe probe) {
    if (!Files.isDirectory(entry.path())) {
      throw new CommandFailure(entry.path() + " is no folder: make it, or mount its disk");
    }
    try {
      Medium kernel = new KernelClassifier().classify(entry.path()).medium();
      return new ProbedDir(
          entry.path(), entry.medium().orElse(null), kernel, probe.run(entry.path()));
    } catch (IOException e) {
      throw new CommandFailure(entry.path() + " could not be measured: " + e, e);
    }
  }

  private static void print(
      List<ProbedDir> dirs, String suggestion, List<String> warnings, PrintWriter out) {
    new Table<ProbedDir>()
        .add("DIR", dir -> dir.path)
        .add("MEDIUM", dir -> dir.medium + (dir.profile.direct() ? "" : " (cached)"))
        .add(">A SECOND", dir -> decimals(0, dir.profile.requestsPerSecond()))
        .add(">MEAN MS", dir -> decimals(2, dir.profile.meanMicros() / 1000))
        .add(">P99 MS", dir -> decimals(2, dir.micros() / 1000))
        .print(out, "", dirs);
    out.println();
    out.println("temptier.local-dirs = " + suggestion);
    warnings.forEach(warning -> Words.wrap(out, "WARNING: " + warning));
    if (dirs.stream().anyMatch(dir -> !dir.profile.direct())) {
      out.println("(cached): no direct I/O there, so this is the page cache's latency.");
    }
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private List<Entry> entries() {
    Function<String, String> absolute =
        dir -> dir.startsWith("[") ? dir : new Terminal.LocalDirConverter().convert(dir) + "";
    String all = dirs.stream().map(absolute).collect(Collectors.joining(","));
    Parsed parsed = LocalDirsParser.parse("DIR", all, "the command line");
    for (Finding finding : parsed.findings()) {
      if (finding.severity() == Severity.ERROR) {
        throw terminal.wrongUse("\"" + finding.value() + "\" is no local dir. " + finding.remedy());
      }
    }
    return parsed.entries();
  }

  /**
   * A dir, what it is called, and how fast its disk answers. Dirs are ordered by the latency of 99
   * of 100 requests, since a task has to wait for its slowest. Names are held against the mean: a
   * median would not see a disk that answers three requests from a cache and the fourth after a
   * tenth of a second.
   */
  static final class ProbedDir {
    /** More, in what 99 of 100 requests take, is another kind of disk. */
    private static final double SAME_KIND = 2;

    /** Slower in the mean than sound flash, which takes 10 to 300 us. */
    private static final double FLASH_MICROS = 2_000;

    /** The same for memory. */
    private static final double MEMORY_MICROS = 100;

    /** Faster in the mean than any seek. */
    private static final double SEEK_MICROS = 1_000;

    // For programs, too: these are the members of the JSON. Latencies are in microseconds.
    final String path;
    final Medium medium;
    final Medium kernel;

    @JsonInclude(JsonInclude.Include.NON_NULL)
    final @Nullable Medium tag;

    final DeviceProbe.Profile profile;

    /** What it passes for is its tag, else what the kernel says. */
    ProbedDir(Path path, @Nullable Medium tag, Medium kernel, DeviceProbe.Profile profile) {
      this.path = path.toString();
      this.medium = tag == null ? kernel : tag;
      this.kernel = kernel;
      this.tag = tag;
      this.profile = profile;
    }

    /** As in {@code temptier.local-dirs}. */
    String tagged() {
      return "[" + medium + "]" + path;
    }

    double micros() {
      return profile.p99Micros();
    }

    /** Where names and what was measured disagree, for people; best is none. */
    static List<String> warnings(List<ProbedDir> dirs) {
      List<String> warnings = new ArrayList<>();
      for (ProbedDir dir : dirs) {
        String doubt = dir.profile.direct() ? dir.doubt() : "";
        if (!doubt.isEmpty()) {
          warnings.add(
              String.format(
                  Locale.ROOT,
                  "%s (%s) answers in %.0f us in the mean, %s",
                  dir.tagged(),
                  dir.tag == null
                      ? "so the kernel says"
                      : "your tag; the kernel says " + dir.kernel,
                  dir.profile.meanMicros(),
                  doubt));
        }
      }
      for (ProbedDir fast : dirs) {
        for (ProbedDir slow : dirs) {
          double times = slow.micros() / fast.micros();
          if (times > SAME_KIND && slow.medium.compareTo(fast.medium) < 0) {
            warnings.add(
                String.format(
                    Locale.ROOT,
                    "%s would be filled before %s, but is %.1f times as slow",
                    slow.tagged(),
                    fast.tagged(),
                    times));
          }
        }
      }
      return warnings;
    }

    private String doubt() {
      double mean = profile.meanMicros();
      if (medium.compareTo(Medium.NVME) < 0 && mean > MEMORY_MICROS) {
        return "slower than memory: is it mounted with DAX?";
      }
      if (medium.compareTo(Medium.SSD) <= 0 && mean > FLASH_MICROS) {
        return "as slow as a rotating disk: tag it [DISK], or mend the disk";
      }
      return medium == Medium.DISK && mean < SEEK_MICROS
          ? "faster than any seek: a cache answers, or it is no rotating disk"
          : "";
    }
  }
}
