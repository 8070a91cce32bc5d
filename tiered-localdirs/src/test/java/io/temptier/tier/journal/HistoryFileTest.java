// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  private final Path temp;
  private final Path first;
  private final Path second;

  HistoryFileTest(@TempDir Path temp) throws IOException {
    this.temp = temp;
    first = Files.createDirectories(temp.resolve("first"));
    second = Files.createDirectories(temp.resolve("second"));
  }

  private HistoryFile file() {
    return new HistoryFile(List.of(first, second), folder -> true, 10);
  }

  /** What the next NodeManager shows. */
  private List<String> last(int most) {
    try (HistoryFile next = new HistoryFile(List.of(first, second), folder -> true, most)) {
      next.load();
      return next.recent();
    }
  }

  private static String line(int number) {
    return "{\"v\":1,\"app\":\"" + number + "\"}";
  }

  @Test
  void itNeverTakesMoreThanTwiceItsBound() throws IOException {
    long bound = 10_000;
    int lines = 5_000;
    try (HistoryFile file = new HistoryFile(List.of(first), folder -> true, 10, bound)) {
      for (int i = 0; i < lines; i++) {
        // A second a line: the size is looked at once a second.
        assertTrue(file.append(line(i), i * 1000L), "line " + i);
      }
      assertEquals(line(lines - 1), last(1).get(0));
      assertTrue(last(lines).size() > 100, "two files are read");
    }
    for (Path path : HistoryFile.files(first)) {
      assertTrue(Files.size(path) <= bound + line(lines).length() + 1, path.toString());
    }
    assertEquals(2, first.toFile().list().length);
  }

  @Test
  void tornLinesAreLeftOutAndTheNextIsWhole() throws IOException {
    Files.writeString(first.resolve("history"), line(1) + "\n{\"v\":1,\"ap");
    assertEquals(List.of(line(1)), last(10));
  }

  @Test
  void whatIsNoFileIsRefusedAndAnotherFolderTaken() throws IOException {
    Files.createSymbolicLink(first.resolve("history"), temp.resolve("elsewhere"));
    assertThrows(IOException.class, () -> HistoryFile.read(first.resolve("history")));
    try (HistoryFile file = file()) {
      assertTrue(file.append(line(1), 0));
      assertEquals(List.of(line(1)), last(10));
    }
    assertFalse(Files.exists(temp.resolve("elsewhere")));
    assertEquals(line(1) + "\n", Files.readString(second.resolve("history")));
  }

  @Test
  void aFolderIsUsedOnceItIsUsable() throws IOException {
    Set<Path> usable = new HashSet<>();
    Files.writeString(first.resolve("history"), line(1) + "\n");
    try (HistoryFile file = new HistoryFile(List.of(first), usable::contains, 10)) {
      file.load();
      assertEquals(List.of(), file.recent());
      assertThrows(IOException.class, () -> file.append(line(2), 0));
      usable.add(first);
      assertTrue(file.append(line(2), 1));
    }
    assertEquals(List.of(line(1), line(2)), last(10));
  }
}
