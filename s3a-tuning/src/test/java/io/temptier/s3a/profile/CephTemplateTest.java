// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code conf-templates/ceph-rgw.conf}, and what Ceph itself says of it where it is installed. */
class CephTemplateTest {
  private static final Path FILE = Path.of("..", "conf-templates", "ceph-rgw.conf");
  private static final String DEFAULT = "Default: ";

  @TempDir private Path folder;

  /** An option with the comment above it. */
  private record Option(String section, String name, String value, String comment) {
    String shipped() {
      return comment.substring(comment.indexOf(DEFAULT) + DEFAULT.length()).strip();
    }
  }

  private static final List<Option> OPTIONS = new ArrayList<>();

  @BeforeAll
  static void parse() throws IOException {
    OPTIONS.clear();
    String section = "";
    StringBuilder comment = new StringBuilder();
    for (String line : Files.readAllLines(FILE)) {
      if (line.startsWith("#")) {
        comment.append(line.substring(1).strip()).append('\n');
      } else if (line.startsWith("[") && line.endsWith("]")) {
        section = line.substring(1, line.length() - 1);
      } else if (line.isEmpty()) {
        comment.setLength(0);
      } else {
        int sign = line.indexOf(" = ");
        assertTrue(sign > 0, () -> "no option: " + line);
        OPTIONS.add(
            new Option(
                section, line.substring(0, sign), line.substring(sign + 3), comment.toString()));
      }
    }
    assertTrue(OPTIONS.size() >= 5, OPTIONS::toString);
  }

  @Test
  void givesEachOptionOnceForAGatewayWithItsReasons() {
    Set<String> seen = new TreeSet<>();
    for (Option option : OPTIONS) {
      for (String part : List.of("Why: ", "Costs: ", "Source: ", DEFAULT)) {
        assertTrue(
            option.comment().contains(part), () -> option.name() + " lacks \"" + part + "\"");
      }
      assertTrue(option.section().startsWith("client"), option::toString);
      assertTrue(option.name().startsWith("rgw_"), option::toString);
      assertTrue(seen.add(option.section() + "/" + option.name()), option::toString);
    }
    assertTrue(seen.contains("client.rgw.osd2/rgw_frontends"), "a second gateway");
  }

  @Test
  @NeedsCeph
  void cephTakesItAndHasTheDefaultsItNames() throws IOException {
    List<String> stock = showConfig(Files.writeString(folder.resolve("empty.conf"), ""), "osd1");
    List<String> ours = showConfig(FILE, "osd1");
    for (Option option : OPTIONS) {
      String name = option.name() + " = ";
      assertEquals(List.of(name + option.shipped()), starting(stock, name));
      assertEquals(List.of(name + option.value()), starting(ours, name));
    }
  }

  private static List<String> starting(List<String> lines, String prefix) {
    return lines.stream().filter(line -> line.startsWith(prefix)).toList();
  }

  private static List<String> showConfig(Path file, String gateway) throws IOException {
    String name = "client.rgw." + gateway;
    List<String> command = List.of("ceph-conf", "--show-config", "-c", file.toString(), "-n", name);
    return Programs.said(command).lines().toList();
  }
}
