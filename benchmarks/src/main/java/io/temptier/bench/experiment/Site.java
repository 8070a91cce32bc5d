// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.MergedMount;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.LocalDirsParser.Entry;
import io.temptier.tier.LocalDirsParser.Parsed;
import io.temptier.tier.Medium;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where trials are made: on emulated nodes, on disks of the user's, or on a cluster of the user's.
 * Texts, since a run's plan is kept as JSON.
 *
 * @param fast absolute dirs on fast disks, the preferred one first; empty unless on the user's
 *     disks
 * @param slow absolute dirs on slow disks, where HDFS lies too
 * @param confDir the client configuration of the user's cluster; else empty
 */
public record Site(List<String> fast, List<String> slow, String confDir) {
  /** Nodes with disks of the experiment's own. */
  public static final Site EMULATED = new Site(List.of(), List.of(), "");

  private static final String OPTION = "--dirs";

  public Site {
    fast = List.copyOf(fast);
    slow = List.copyOf(slow);
  }

  /** A cluster of the user's, by the folder of its client configuration. */
  public static Site cluster(Path confDir) {
    return new Site(List.of(), List.of(), confDir.toAbsolutePath().normalize().toString());
  }

  /**
   * Disks of the user's.
   *
   * @param dirs with tags, as in {@code temptier.local-dirs}
   * @throws picocli.CommandLine.ParameterException when a tag or a kind of disk is missing
   */
  static Site dirs(Terminal terminal, List<String> dirs) {
    Parsed parsed = LocalDirsParser.parse(OPTION, String.join(",", dirs), "the command line");
    for (Finding finding : parsed.findings()) {
      if (finding.severity() == Severity.ERROR) {
        throw terminal.wrongUse(
            OPTION + "=" + finding.value() + " is no local dir. " + finding.remedy());
      }
    }
    List<String> fast = new ArrayList<>();
    List<String> slow = new ArrayList<>();
    for (Entry entry : parsed.entries()) {
      Medium medium =
          entry
              .medium()
              .orElseThrow(
                  () ->
                      terminal.wrongUse(
                          ("%s=%s does not say what it lies on: write [NVME], [SSD] or [DISK]"
                                  + " in front of it")
                              .formatted(OPTION, entry.path())));
      (medium.slow() ? slow : fast).add(entry.path().toString());
    }
    if (fast.isEmpty()) {
      throw terminal.wrongUse(OPTION + " has no fast dir, such as [NVME]/nvme0/bench");
    }
    if (slow.isEmpty()) {
      throw terminal.wrongUse(OPTION + " has no [DISK] dir: what is measured needs both");
    }
    return new Site(fast, slow, "");
  }

  public boolean emulated() {
    return !ownDirs() && !ownCluster();
  }

  public boolean ownDirs() {
    return !fast.isEmpty();
  }

  public boolean ownCluster() {
    return !confDir.isEmpty();
  }

  /** Why an arm cannot be run here, or empty. */
  public Optional<String> hindrance(Arm arm) {
    if (ownCluster()) {
      return arm.disks().equals(List.of(Arm.Kind.FAST, Arm.Kind.HDD))
              && !arm.merged()
              && !arm.asUser()
              && arm.properties().isEmpty()
          ? Optional.empty()
          : Optional.of("needs NodeManagers that are set up otherwise; these stay as they are");
    }
    if (arm.merged()) {
      return MergedMount.hindrance();
    }
    if (ownDirs() && (arm.ideal() || arm.asUser())) {
      return Optional.of(
          arm.ideal()
              ? "a fast disk without end is not among --dirs"
              : "makes accounts, which emulated nodes only do");
    }
    return Optional.empty();
  }

  public List<Path> fastPaths() {
    return fast.stream().map(Path::of).toList();
  }

  public List<Path> slowPaths() {
    return slow.stream().map(Path::of).toList();
  }

  /**
   * Checks beforehand that the dirs are there and have room.
   *
   * @param hdfs bytes on the slow ones, beside as much temporary data
   * @throws CommandFailure when one is no folder, or the work would fill them
   */
  public void check(long hdfs, long temp) throws IOException {
    for (Path dir : Stream.concat(fastPaths().stream(), slowPaths().stream()).toList()) {
      if (!Files.isDirectory(dir) || !Files.isWritable(dir)) {
        throw new CommandFailure(
            OPTION + ": " + dir + " is no folder that can be written to: make it, mount its disk");
      }
    }
    need("the [DISK] dirs", slowPaths(), hdfs + temp);
    need("the fast dirs", fastPaths(), temp);
  }

  private static void need(String which, List<Path> dirs, long bytes) throws IOException {
    Map<Object, Long> free = new HashMap<>();
    for (Path dir : dirs) {
      FileStore store = Files.getFileStore(dir);
      free.put(Files.getAttribute(dir, "unix:dev"), store.getUsableSpace());
    }
    long all = free.values().stream().mapToLong(Long::longValue).sum();
    if (all < bytes) {
      throw new CommandFailure(
          "%s: %s have %s free and need %s: free some, name more of them, or sort less (--set rows=)"
              .formatted(OPTION, which, Sizes.format(all), Sizes.format(bytes)));
    }
  }

  @Override
  public String toString() {
    if (ownCluster()) {
      return "the cluster of " + confDir;
    }
    return ownDirs()
        ? "fast " + String.join(", ", fast) + "; slow " + String.join(", ", slow)
        : "emulated";
  }
}
