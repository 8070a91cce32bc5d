// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code temptier explain}. */
@Command(
    name = "explain",
    description = {
      "Tells where a temporary file of this node lies, and why it went there.",
      "For an id, tells it of all files of that attempt, container or application; once the",
      "application has ended, what became of all its files together. For the name of a block of",
      "Spark's, a shuffle or an RDD, of all files of that name."
    },
    exitCodeList = {"0:explained", "1:no such file or application on this node", "2:wrong use"},
    sortOptions = false)
public final class ExplainCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "PATH|ID|BLOCK",
      description =
          "A file or folder in a local dir, the id of an attempt, a container, a job or an"
              + " application, or a block of Spark's, such as shuffle_3_12_0 or rdd_4.")
  private String asked = "";

  @Mixin private final LocalDirOptions localDirs = new LocalDirOptions();

  @Override
  public Integer call() throws IOException {
    Question question = question();
    Roots roots = new Roots(given(question));
    question.path.ifPresent(path -> inLocalDir(path, roots));
    List<ObjectNode> files;
    try (Progress progress = terminal.progress("Looking for " + asked)) {
      files = files(question, roots, progress);
    }
    if (files.isEmpty()) {
      return ended(question, roots);
    }
    ExplainText text = new ExplainText(asked, files, json.textOf(terminal));
    text.print();
    json.write(text.json(), terminal);
    return ExitCodes.FINE;
  }

  private Question question() {
    try {
      return new Question(asked);
    } catch (InvalidPathException e) {
      throw terminal.wrongUse("'" + asked + "' is neither a path nor an id: " + e.getMessage());
    }
  }

  /** Without a name, a marker or YARN's folders, the path was taken for a local dir itself. */
  private void inLocalDir(Path path, Roots roots) {
    boolean guessed = !localDirs.given() && !roots.marked;
    if (!roots.layout.dirOf(path).isPresent() || (guessed && roots.paths().contains(path))) {
      String why =
          guessed
              ? ": no folder above it has the marker of a NodeManager with TempTier. Name the"
                  + " local dirs by --conf-dir DIR, or --dir ROOT for each."
              : " of this node; those are " + names(roots) + ".";
      throw new CommandFailure(path + " is in no local dir" + why);
    }
  }

  private static List<ObjectNode> files(Question question, Roots roots, Progress progress)
      throws IOException {
    Path path = question.path.orElse(null);
    List<Path> applicationDirs =
        path != null && !question.application.isPresent()
            ? Immutable.listOf()
            : Explainer.applicationDirs(roots.paths(), question.application);
    progress.say("reading journals");
    Journals journals = new Journals(roots.paths(), applicationDirs);
    Explainer explainer = new Explainer(roots, journals);
    progress.say("reading local dirs");
    if (path == null) {
      return explainer.explainAll(applicationDirs, question);
    }
    if (Files.isDirectory(path) && !journals.of(path).isPresent()) {
      return explainer.explainAll(Immutable.listOf(path), question);
    }
    ObjectNode file = explainer.explain(path);
    return file.has("bytes") || file.has("decision") ? Immutable.listOf(file) : Immutable.listOf();
  }

  /** Of an application that is over there is what the NodeManager wrote down. */
  private int ended(Question question, Roots roots) {
    HistoryData history = HistoryData.ofLocalDirs(roots.paths());
    Optional<ApplicationHistory> application =
        question.application.filter(any -> !question.path.isPresent()).flatMap(history::of);
    if (!application.isPresent()) {
      throw new CommandFailure(nothing(question, roots) + history.unreadableText());
    }
    PrintWriter out = json.textOf(terminal);
    out.println(
        "No file of " + asked + " is left on this node. What was written down of its application:");
    new HistoryText(out).print(application.get());
    json.write(application.get(), terminal);
    return ExitCodes.FINE;
  }

  private static String names(Roots roots) {
    return roots.paths().stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private String nothing(Question question, Roots roots) {
    return question.path.isPresent()
        ? "There is no " + asked + ", and no record of it on this node."
        : String.format(
            "No file of %s in %s. It may have run on other nodes, or its files are deleted: YARN"
                + " deletes them with the application (yarn.nodemanager.delete.debug-delay-sec"
                + " keeps them).",
            asked, names(roots));
  }

  /** The roots the user names, in one way or another. */
  private List<Path> given(Question question) {
    return localDirs
        .dirs(terminal, !question.path.isPresent())
        .map(Optional::of)
        .orElseGet(() -> question.path.map(path -> Immutable.listOf(NodeMarker.rootOf(path))))
        .orElseThrow(
            () ->
                terminal.wrongUse(
                    "An id needs the local dirs: give --conf-dir DIR, or --dir ROOT for each."));
  }
}
