// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Deadline;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.cli.history.ApplicationHistory;
import io.temptier.cli.history.HistoryData;
import io.temptier.cli.history.HistoryText;
import io.temptier.cli.history.LocalDirOptions;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = {
      "Tells where a temporary file of this node lies, and why it went there.",
      "For an id, tells it of all files of that attempt, container or application; once the",
      "application has ended, what became of all its files together. For the name of a block of",
      "Spark's, a shuffle or an RDD, of all files of that name."
    },
    exitCodeList = {"0:explained", "1:no such file or application on this node", "2:wrong use"})
public final class ExplainCommand implements Callable<Integer> {
  /** Ids of YARN and of MapReduce that tell the application. */
  private static final Pattern ID =
      Pattern.compile(
          "(application|appattempt|job|task|attempt|container)(?:_e\\d+)?_(\\d+_\\d+)(?:_.*)?");

  /** Spark's blocks, of whatever application: one, or all of a shuffle or an RDD. */
  private static final Pattern BLOCK =
      Pattern.compile("(shuffle|rdd|broadcast|input|temp_shuffle|temp_local)_[-\\w.]+");

  private static final Pattern IN_PATH = Pattern.compile("application_\\d+_\\d+");

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "PATH|ID|BLOCK",
      description =
          "A file or folder in a local dir, the id of an attempt, a container, a job or an"
              + " application, or a block of Spark's, such as shuffle_3_12_0 or rdd_4.")
  private String asked = "";

  @Mixin private final LocalDirOptions localDirs = new LocalDirOptions();

  /** The file or folder that is asked for, absolute; empty when an id was given. */
  private Optional<Path> path = Optional.empty();

  private Optional<String> application = Optional.empty();

  /** Time of a disk's last answer, {@link System#nanoTime}. */
  private final AtomicLong step = new AtomicLong(System.nanoTime());

  @Override
  public Integer call() {
    return Deadline.orFail("look for " + asked, step, this::explain);
  }

  private int explain() throws IOException {
    understand();
    Explainer explainer = new Explainer(given());
    path.ifPresent(file -> inLocalDir(file, explainer));
    List<ObjectNode> files;
    try (Progress progress = terminal.progress("Looking for " + asked)) {
      files = files(explainer, progress);
    }
    if (files.isEmpty()) {
      return ended(explainer.layout.paths());
    }
    ExplainText text = new ExplainText(asked, files, json.textOf(terminal));
    text.print();
    json.write(text.json(), terminal);
    return ExitCodes.FINE;
  }

  private void understand() {
    Matcher id = ID.matcher(asked);
    if (id.matches()) {
      application = Optional.of("application_" + id.group(2));
    } else if (!BLOCK.matcher(asked).matches()) {
      try {
        Path file = Paths.get(asked).toAbsolutePath().normalize();
        Matcher inPath = IN_PATH.matcher(file.toString());
        path = Optional.of(file);
        application = inPath.find() ? Optional.of(inPath.group()) : Optional.empty();
      } catch (InvalidPathException e) {
        throw terminal.wrongUse("'" + asked + "' is neither a path nor an id: " + e.getMessage());
      }
    }
  }

  private boolean covers(Path file) {
    step.set(System.nanoTime());
    if (path.isPresent()) {
      return file.startsWith(path.get());
    }
    // An id ends where its digits end: attempt 1 is not attempt 10. A block's begins its name.
    String before = application.isPresent() ? "" : "(?<=/)";
    return asked.startsWith("application_")
        || asked.startsWith("job_")
        || Pattern.compile(before + Pattern.quote(asked) + "(?!\\d)")
            .matcher(file.toString())
            .find();
  }

  private List<Path> given() {
    Optional<List<Path>> named = localDirs.dirs(terminal, !path.isPresent());
    if (!named.isPresent() && !path.isPresent()) {
      throw terminal.wrongUse(
          "An id needs the local dirs: give --conf-dir DIR, or --dir ROOT for each.");
    }
    return named.orElseGet(() -> Immutable.listOf(NodeMarker.rootOf(path.get())));
  }

  /**
   * Ends the command if the file is in no local dir. Without a name, a marker or YARN's folders,
   * the path was taken for a local dir itself.
   */
  private void inLocalDir(Path file, Explainer explainer) {
    boolean guessed = !localDirs.given() && !explainer.marked;
    if (!explainer.layout.dirOf(file).isPresent()
        || (guessed && explainer.layout.paths().contains(file))) {
      String why =
          guessed
              ? ": no folder above it has the marker of a NodeManager with TempTier. Name the"
                  + " local dirs by --conf-dir DIR, or --dir ROOT for each."
              : explainer.layout.paths().stream()
                  .map(Path::toString)
                  .collect(Collectors.joining(", ", " of this node; those are ", "."));
      throw new CommandFailure(file + " is in no local dir" + why);
    }
  }

  private List<ObjectNode> files(Explainer explainer, Progress progress) throws IOException {
    List<Path> applicationDirs =
        path.isPresent() && !application.isPresent()
            ? Immutable.listOf()
            : explainer.applicationDirs(application);
    progress.say("reading journals");
    Journals journals = explainer.read(applicationDirs);
    progress.say("reading local dirs");
    if (!path.isPresent()) {
      return explainer.explainAll(applicationDirs, this::covers);
    }
    if (Files.isDirectory(path.get()) && !journals.of(path.get()).isPresent()) {
      return explainer.explainAll(Immutable.listOf(path.get()), this::covers);
    }
    ObjectNode file = explainer.explain(path.get());
    return file.has("bytes") || file.has("decision") ? Immutable.listOf(file) : Immutable.listOf();
  }

  /** Prints what the NodeManager wrote down of an application that is over. */
  private int ended(List<Path> roots) {
    HistoryData history = HistoryData.ofLocalDirs(roots);
    ApplicationHistory totals =
        application
            .filter(name -> !path.isPresent())
            .flatMap(history::of)
            .orElseThrow(
                () -> new CommandFailure(nothing(roots.size()) + history.unreadableText()));
    PrintWriter out = json.textOf(terminal);
    out.println(
        "No file of " + asked + " is left on this node. What was written down of its application:");
    new HistoryText(out).print(totals);
    json.write(totals, terminal);
    return ExitCodes.FINE;
  }

  private String nothing(int roots) {
    return path.isPresent()
        ? (Files.exists(path.get()) ? "No file is in " : "There is no ")
            + (asked + ", and no record of it on this node.")
        : String.format(
            "No file of %s in this node's %s.%nIt may have run on other nodes, or YARN has deleted"
                + " its files with the application%n"
                + "(yarn.nodemanager.delete.debug-delay-sec keeps them).",
            asked, Words.plural(roots, "local dir"));
  }
}
