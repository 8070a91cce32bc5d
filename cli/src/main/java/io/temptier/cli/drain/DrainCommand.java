// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.LocalDirConverter;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.tier.text.Quoted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
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
  private static final Path PROC = Paths.get("/proc");

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
    AtomicLong step = new AtomicLong(System.nanoTime());
    return DrainMark.unlessItHangs(path, step, () -> drain(step));
  }

  private int drain(AtomicLong step) throws IOException, InterruptedException {
    DrainMark mark = DrainMark.of(path);
    boolean begun = mark.set();
    if (begun) {
      Thread.sleep(HEARD.toMillis());
    }
    DirUsers holders;
    try (Progress progress = terminal.progress("Draining " + path)) {
      progress.say("looking for what holds it");
      holders = DirUsers.of(path, mark.others(), PROC, step);
    }
    PrintWriter out = json.textOf(terminal);
    out.println(
        path
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
            .put("dir", path.toString())
            .put("safe", holders.none())
            .putPOJO("holders", holders),
        terminal);
    return holders.none() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private static void print(DirUsers holders, PrintWriter out) {
    if (!holders.applications().isEmpty()) {
      new Table<JsonNode>()
          .add("APPLICATION", app -> Quoted.brief(app.path("id").asText()))
          .add(">FILES", app -> app.path("files").asText())
          .bytes("SIZE", app -> app.path("bytes").asLong())
          .print(out, "  ", holders.applications());
    }
    if (!holders.processes().isEmpty()) {
      new Table<JsonNode>()
          .add(">PID", held -> held.path("pid").asText())
          .add("PROCESS", held -> Quoted.brief(held.path("command").asText()))
          .add("HOLDS", held -> Quoted.brief(held.path("file").asText()))
          .print(out, "  ", first(holders.processes()));
      more(holders.processes(), out);
    }
    if (!holders.unseen().isEmpty()) {
      out.println("  Could not be looked into, unless by root, and may hold it, too:");
      first(holders.unseen()).forEach(path -> out.println("  " + Quoted.brief(path)));
      more(holders.unseen(), out);
    }
  }

  private static <T> List<T> first(List<T> all) {
    return all.subList(0, Math.min(MOST_SHOWN, all.size()));
  }

  private static void more(List<?> all, PrintWriter out) {
    if (all.size() > MOST_SHOWN) {
      out.println("  and " + (all.size() - MOST_SHOWN) + " more");
    }
  }
}
