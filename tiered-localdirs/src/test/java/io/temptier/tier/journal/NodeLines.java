// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import io.temptier.fixtures.sweep.Disks;
import io.temptier.fixtures.sweep.Ending;
import io.temptier.fixtures.sweep.Invariants;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A node's history is written, line by line, and turned over; so are journals. The NodeManager
 * before was killed in the middle of a line.
 */
public final class NodeLines implements Protocol {
  private static final int LINES = 6;

  /** Of four lines and the torn one. */
  private static final long MAX_BYTES = 100;

  private final List<Path> folders;
  private final HistoryFile history;
  private long millis = 1_000_000;

  public NodeLines(Disks disks) {
    folders = List.of(disks.slow().resolve(".temptier"), disks.fast().resolve(".temptier"));
    history = new HistoryFile(folders, folder -> true, 100, MAX_BYTES);
  }

  private static String line(int number) {
    return "{\"v\":1,\"number\":" + number + "}";
  }

  @Override
  public void setUp(Invariants found) throws IOException {
    for (Path folder : folders) {
      Files.createDirectory(folder);
    }
    Path before = folders.get(0).resolve(HistoryFile.NAME);
    Files.writeString(before, line(0) + "\n" + line(LINES).substring(0, 5));
    Files.setAttribute(before, "unix:mode", 0640);
  }

  @Override
  public void act() {
    history.load();
    for (int i = 1; i <= LINES; i++) {
      history.add(line(i));
      round();
    }
  }

  /** Later than the file is looked at again. */
  private void round() {
    millis += 2_000;
    history.write(millis);
  }

  @Override
  public void recover(Ending ending) {
    history.load();
    history.add(line(LINES + 1));
    round();
    // A line is not written in the round in which the file is turned over.
    round();
    history.close();
  }

  @Override
  public void check(Ending ending, Invariants found) throws IOException {
    List<String> all = new ArrayList<>();
    for (Path folder : folders) {
      for (Path file : HistoryFile.files(folder)) {
        all.addAll(HistoryFile.read(file));
        if (Files.exists(file) && FileStamp.of(file).permissions() != 0640) {
          found.problem("MODE of " + file);
        }
      }
    }
    List<String> lines = IntStream.rangeClosed(0, LINES + 1).mapToObj(NodeLines::line).toList();
    for (String line : ending.killed() ? List.of(line(LINES + 1)) : lines) {
      if (!all.contains(line)) {
        found.problem("LOST " + line);
      }
    }
    all.stream()
        .filter(line -> !lines.contains(line))
        .forEach(line -> found.problem("TORN " + line));
  }
}
