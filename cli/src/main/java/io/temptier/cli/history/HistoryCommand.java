// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier history}. */
@Command(
    name = "history",
    description = {
      "Tells what became of applications' temporary data, after they ended too.",
      "It has bytes by tier, what spilled down and why, what was demoted. The one that spilled most"
          + " comes first.",
      "Of this node from its local dirs, or of running nodes with --jmx, --rm or --hosts."
    },
    exitCodeList = {"0:told", "1:no such application, or no node told", "2:wrong use"})
public final class HistoryCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final HistoryOptions options = new HistoryOptions();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final Table.Wide wide = new Table.Wide();

  @Option(names = "--user", paramLabel = "NAME", description = "Those of a user.")
  private @Nullable String user;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many to show. Default: ${DEFAULT-VALUE}.")
  private int top = 20;

  @Override
  public Integer call() throws InterruptedException {
    terminal.atLeastOne("--top", top);
    HistoryData past = options.read(terminal);
    List<ApplicationHistory> found =
        options.chosen(past, one -> user == null || one.user().equals(user));
    if (found.isEmpty()) {
      throw HistoryOptions.nothing(past);
    }
    List<ApplicationHistory> shown = found.subList(0, Math.min(top, found.size()));
    int left = found.size() - shown.size();
    new HistoryText(json.textOf(terminal)).print(past, shown, left, wide.width());
    json.write(
        Json.object()
            .put("source", past.source)
            .putPOJO("applications", shown)
            .put("left", left)
            .putPOJO("silent", past.silent)
            .put("linesSkipped", past.linesSkipped),
        terminal);
    return ExitCodes.FINE;
  }
}
