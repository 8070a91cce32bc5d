/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
