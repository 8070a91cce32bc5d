// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.LocalDirConverter;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.text.Quoted;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code temptier drain}. */
@Command(
    name = "drain",
    description = {
      "Has a local dir of this node be emptied, and says what still holds it or that its disk may"
          + " be pulled.",
      "New files go to other dirs at once; complete map outputs are moved down, others stay until"
          + " their application ends. No restart is needed, and none forgets it. Call it again to"
          + " see how far it is; temptier undrain ends it."
    },
    exitCodeList = {
      "0:nothing needs the dir any more",
      "1:something does, or it cannot be drained",
      "2:wrong use"
    },
    sortOptions = false)
public final class DrainCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 10;
  private static final boolean ROOT = new ProcessTable(Paths.get("/proc")).selfUid() == 0;

  /** Every process has looked at the mark by then, and opened what it placed before. */
  private static final Duration HEARD = Duration.ofSeconds(5);

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "DIR",
      converter = LocalDirConverter.class,
      description = "The local dir, as in yarn.nodemanager.local-dirs.")
  private Path path = Paths.get("");

  @Override
  public Integer call() throws InterruptedException {
    DrainMark mark = DrainMark.of(path);
    boolean begun = mark.set();
    if (begun) {
      Thread.sleep(HEARD.toMillis());
    }
    DirUsers holders = users(mark);
    PrintWriter out = json.textOf(terminal);
    out.println(
        mark.dir()
            + (begun ? " is drained from now on: " : " is being drained: ")
            + "new files go to other dirs within seconds.");
    print(holders, out);
    out.println(
        holders.none()
            ? "Safe to pull: no application has a file here, and no process has one open. First"
                + " take the dir out of yarn.nodemanager.local-dirs and temptier.local-dirs, and"
                + " restart the NodeManager."
            : "Not safe to pull yet.");
    json.write(
        JsonNodeFactory.instance
            .objectNode()
            .put("dir", mark.dir().toString())
            .put("safe", holders.none())
            .putPOJO("holders", holders),
        terminal);
    return holders.none() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private DirUsers users(DrainMark mark) throws InterruptedException {
    AtomicLong step = new AtomicLong(System.nanoTime());
    try (Progress progress = terminal.progress("Draining " + mark.dir())) {
      progress.say("looking for what holds it");
      return DrainMark.answer(
          mark.dir(),
          "look for what holds it",
          step,
          () -> DirUsers.of(mark.dir(), mark.others(), step));
    }
  }

  private static void print(DirUsers holders, PrintWriter out) {
    if (!holders.applications().isEmpty()) {
      new Table<DirUsers.Application>()
          .add("APPLICATION", app -> Quoted.brief(app.id))
          .add(">FILES", app -> Long.toString(app.files))
          .bytes("SIZE", app -> app.bytes)
          .print(out, "  ", holders.applications());
    }
    if (!holders.processes().isEmpty()) {
      new Table<DirUsers.OpenFile>()
          .add(">PID", held -> Long.toString(held.pid))
          .add("PROCESS", held -> Quoted.brief(held.command))
          .add("HOLDS", held -> Quoted.brief(held.file))
          .print(
              out,
              "  ",
              holders.processes().stream().limit(MOST_SHOWN).collect(Immutable.toList()));
      if (holders.processes().size() > MOST_SHOWN) {
        out.println(" " + more(holders.processes()));
      }
    }
    if (!holders.unseen().isEmpty()) {
      String some =
          holders.unseen().stream()
              .limit(MOST_SHOWN)
              .map(Quoted::brief)
              .collect(Collectors.joining(", "));
      out.println(
          String.format(
              "  Could not be looked into and may hold it, too%s: %s%s",
              ROOT ? "" : " (root could)", some, more(holders.unseen())));
    }
  }

  private static String more(List<?> all) {
    return all.size() > MOST_SHOWN ? " and " + (all.size() - MOST_SHOWN) + " more" : "";
  }
}
