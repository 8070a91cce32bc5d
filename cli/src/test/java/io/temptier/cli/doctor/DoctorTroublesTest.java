// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DoctorTroublesTest {
  @Test
  void everyRowIsWholeAndSaidBySomeCheck() throws IOException {
    String code;
    try (var files = Files.list(Path.of("src/main/java/io/temptier/cli/doctor"))) {
      code = files.map(DoctorTroublesTest::text).collect(joining());
    }
    Troubles.rows()
        .forEach(
            (name, row) -> {
              assertTrue(row.stream().noneMatch(String::isBlank), name);
              assertTrue(
                  code.contains("\"" + name.replaceFirst("^(mounts.)..$", "$1") + "\""), name);
            });
  }

  @Test
  void whatIsSaidIsNoPartOfTheTable() {
    String odd = "a PUT b\\nc {2}";
    String remedy = Troubles.of("class.misspelt", "k", "v", "here", "x", odd, "y").remedy();
    assertTrue(remedy.startsWith("The class is " + odd + ". "), remedy);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
