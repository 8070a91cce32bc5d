// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wrap;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.Setting;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** What a profile that went to a file holds, for people. */
final class ProfileText {
  private static final int WIDTH = 96;

  private final PrintWriter out;
  private final Terminal terminal;

  ProfileText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void print(Profile profile, Path file) {
    out.println(
        terminal.styled("bold", "S3A for " + profile.request().workload())
            + ", Hadoop "
            + profile.request().versions().get(0)
            + ": "
            + file);
    Table table = new Table("PROPERTY", "VALUE");
    for (Setting setting : profile.settings()) {
      table.row(setting.key(), setting.value());
    }
    table.lines("  ").forEach(out::println);
    out.println();
    out.println(terminal.styled("bold", "Upload buffers"));
    profile.plan().arithmetic().forEach(this::item);
    out.println();
    out.println(terminal.styled("bold", "Left out, and to know"));
    profile.remarks().forEach(remark -> item(remark.key() + ": " + remark.text()));
  }

  private void item(String text) {
    List<String> lines = Wrap.lines(text, WIDTH);
    for (int i = 0; i < lines.size(); i++) {
      out.println((i == 0 ? "  - " : "    ") + lines.get(i));
    }
  }
}
