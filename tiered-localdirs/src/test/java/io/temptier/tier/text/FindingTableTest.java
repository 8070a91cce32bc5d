// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FindingTableTest {
  /** A row that no check calls by its name is one that nobody can ever read. */
  @ParameterizedTest
  @CsvSource({"hadoop/conf,findings.txt", "tier,local-dirs.txt"})
  void eachRowIsCalledByItsName(String folder, String table) throws IOException {
    StringBuilder code = new StringBuilder();
    try (var sources =
        Files.newDirectoryStream(Path.of("src/main/java/io/temptier", folder), "*.java")) {
      for (Path source : sources) {
        code.append(Files.readString(source));
      }
    }
    Path rows = Path.of("src/main/resources/io/temptier", folder, table);
    for (String row : Files.readAllLines(rows)) {
      String name = row.split(" \\|", 2)[0];
      assertTrue(row.startsWith("#") || code.indexOf('"' + name + '"') >= 0, row);
    }
  }
}
