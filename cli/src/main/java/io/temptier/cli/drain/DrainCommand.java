// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Deadline;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.JmxClient.NodeFailure;
import io.temptier.cli.nodes.NodesOptions;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.text.Quoted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code temptier drain} and {@code temptier undrain}. They make and delete a mark in the
 * NodeManager's folder of the dir, so only its user and root can use them, and a restart keeps it.
 */
public abstract class DrainCommand implements Callable<Integer> {
  @Mixin final Terminal terminal = new Terminal();

  @Parameters(
      paramLabel = "DIR",
      converter = Terminal.LocalDirConverter.class,
      description = "The local dir, as in yarn.nodemanager.local-dirs.")
  Path path = Paths.get("");

  /** Time of a disk's last answer, {@link System#nanoTime}: one that is to be pulled may hang. */
  final AtomicLong step = new AtomicLong(System.nanoTime());

  @Override
  public Integer call() {
    return Deadline.orFail("look into " + path, step, () -> run(others()));
  }

  /** Runs the action; {@code others} are the node's other local dirs. */
  abstract int run(List<Path> others) throws IOException, InterruptedException;

  /** Ends the command unless the dir is a local dir of this node that has others. */
  private List<Path> others() {
    Optional<NodeTiers> tiers = NodeMarker.read(path);
    if (!tiers.isPresent()) {
      throw new CommandFailure(
          path
              + " is no local dir of a NodeManager with TempTier: it has no marker,"
              + " .temptier/layout. Give the path as in yarn.nodemanager.local-dirs.");
    }
    List<Path> others = new ArrayList<>(tiers.get().layout().paths());
    if (!others.remove(path)) {
      throw new CommandFailure(
          path
              + " is not among this node's local dirs "
              + others
              + "; its marker is of another path. Is it mounted where it belongs?");
    }
    if (others.isEmpty()) {
      throw new CommandFailure(
          path + " is the node's only local dir: decommission the node instead.");
    }
    return others;
  }

  Path mark() {
    return path.resolve(NodeMarker.DIR).resolve(NodeMarker.DRAIN);
  }

  CommandFailure cannot(String what, IOException e) {
    String why =
        e instanceof AccessDeniedException
            ? ". Run this as the NodeManager's user or root."
            : ": " + e;
    return new CommandFailure("Cannot " + what + " " + mark() + why, e);
  }

  @Command(
      name = "drain",
      description = {
        "Drains a local dir of this node, and tells what still uses it or that its disk may be"
            + " pulled.",
        "New files go to other dirs at once; complete map outputs are moved down, other files stay"
            + " until their application ends. A restart is not needed, and does not end it. Run it"
            + " again to see how far it is; temptier undrain ends it."
      },
      exitCodeList = {
        "0:nothing needs the dir any more",
        "1:something does, it cannot be drained, or the NodeManager does not say that it drains it",
        "2:wrong use"
      })
  public static final class Drain extends DrainCommand {
    private static final int MOST_SHOWN = 10;
    private static final long POLL_MILLIS = 500;
    private static final Path PROC = Paths.get("/proc");

    /** Time after which every process has seen the mark, and opened what it placed before. */
    private static final Duration HEARD = Duration.ofSeconds(5);

    /** Time in which the NodeManager shows that it has seen the mark. */
    private static final Duration SHOWN = Duration.ofSeconds(10);

    @Mixin private final NodesOptions nodes = new NodesOptions();

    @Override
    int run(List<Path> others) throws IOException, InterruptedException {
      if (!nodes.single()) {
        throw terminal.wrongUse("Only this node's NodeManager drains " + path + ": give --jmx.");
      }
      boolean begun = begin();
      String obstacle;
      DirUsers users;
      try (Progress progress = terminal.progress("Draining " + path)) {
        progress.say("waiting for the NodeManager");
        if (begun) {
          Thread.sleep(HEARD.toMillis());
        }
        obstacle = whyNotDraining();
        progress.say("looking for its users");
        users = new DirUsers(path, others, PROC, step);
      }
      PrintWriter out = terminal.out();
      boolean safe = obstacle.isEmpty() && users.none();
      Words.wrap(
          out,
          obstacle.isEmpty()
              ? path
                  + (begun ? " is drained from now on: " : " is being drained: ")
                  + "the NodeManager sends new files to other dirs."
              : path + " is marked, but may take new files: " + obstacle);
      print(users, out);
      Words.wrap(
          out,
          safe
              ? "Safe to pull: no application has a file here, and no process has one open. First"
                  + " take the dir out of yarn.nodemanager.local-dirs and temptier.local-dirs, and"
                  + " restart the NodeManager."
              : "Not safe to pull yet.");
      return safe ? ExitCodes.FINE : ExitCodes.FAILED;
    }

    /** Waits until the NodeManager drains the dir; returns why it does not, else nothing. */
    private String whyNotDraining() throws InterruptedException {
      AtomicReference<JsonNode> dir = new AtomicReference<>(MissingNode.getInstance());
      for (long began = System.nanoTime();
          System.nanoTime() - began < SHOWN.toNanos();
          Thread.sleep(POLL_MILLIS)) {
        try {
          nodes.ask(
              terminal, this::dirOf, (node, answer) -> dir.set(answer), (node, failure) -> {});
        } catch (CommandFailure e) {
          return e.getMessage() + " Name it by --jmx.";
        }
        step.set(System.nanoTime());
        if (Objects.requireNonNull(dir.get()).path("draining").asBoolean()) {
          return "";
        }
      }
      return String.format(
          Objects.requireNonNull(dir.get()).isMissingNode()
              ? "the NodeManager at %s has no such dir. Is its marker an earlier one's?"
              : "the NodeManager at %s does not see the mark. Does it run in a container or mount"
                  + " namespace of its own? Run this there.",
          nodes.named());
    }

    /** Returns the NodeManager's report of the dir; a missing node where it does not have it. */
    private JsonNode dirOf(JmxClient node) throws NodeFailure {
      try {
        for (JsonNode dir :
            Json.MAPPER.readTree(node.needed("TempTierInfo").path("Dirs").asText())) {
          if (dir.path("path").asText().equals(path.toString())) {
            return dir;
          }
        }
        return MissingNode.getInstance();
      } catch (JsonProcessingException e) {
        throw node.failure("version", e, e.getOriginalMessage());
      }
    }

    /** Makes the mark; false when it is there already. */
    private boolean begin() {
      try {
        Files.createFile(mark());
        return true;
      } catch (FileAlreadyExistsException e) {
        return false;
      } catch (IOException e) {
        throw cannot("make", e);
      }
    }

    private static void print(DirUsers users, PrintWriter out) {
      if (!users.applications.isEmpty()) {
        new Table<Map.Entry<String, LongSummaryStatistics>>()
            .add("APPLICATION", app -> Quoted.brief(app.getKey()))
            .add(">FILES", app -> app.getValue().getCount() + "")
            .bytes("SIZE", app -> app.getValue().getSum())
            .print(out, "  ", users.applications.entrySet());
      }
      if (!users.processes.isEmpty()) {
        new Table<JsonNode>()
            .add(">PID", held -> held.path("pid").asText())
            .add("PROCESS", held -> Quoted.brief(held.path("command").asText()))
            .add("HOLDS", held -> Quoted.brief(held.path("file").asText()))
            .print(out, "  ", first(users.processes));
        more(users.processes, out);
      }
      if (!users.unseen.isEmpty()) {
        Words.wrap(
            out,
            new ProcessTable(PROC).selfUid() == 0
                ? "Could not be looked into, as this root lacks the capability SYS_PTRACE, and may"
                    + " hold it, too. Run this outside of the container, or add the capability:"
                : "Could not be looked into, unless by root, and may hold it, too:",
            "  ",
            "  ");
        first(users.unseen).forEach(path -> out.println("  " + Quoted.brief(path)));
        more(users.unseen, out);
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

  @Command(
      name = "undrain",
      description = "Ends what temptier drain began: new files go to the local dir again.",
      exitCodeList = {"0:new files go there", "1:that cannot be had", "2:wrong use"})
  public static final class Undrain extends DrainCommand {
    @Override
    int run(List<Path> others) {
      try {
        terminal
            .out()
            .println(
                Files.deleteIfExists(mark())
                    ? "New files go to " + path + " again within seconds."
                    : path + " was not being drained.");
        return ExitCodes.FINE;
      } catch (IOException e) {
        throw cannot("delete", e);
      }
    }
  }
}
