// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.RolloutReader;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code temptier explain}. */
@Command(
    name = "explain",
    description = {
      "Tells where a temporary file of this node lies, and why it went there.",
      "For an id, tells it of all files of that attempt, container or application."
    },
    exitCodeList = {"0:explained", "1:no such file on this node", "2:wrong use"},
    sortOptions = false)
public final class ExplainCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "PATH|ATTEMPT",
      description =
          "A file or folder in a local dir, or the id of an attempt, a container, a job or an"
              + " application.")
  private String asked = "";

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "Folder with yarn-site.xml, which names the local dirs. Default: HADOOP_CONF_DIR.")
  private @Nullable Path confDir;

  @Option(
      names = "--dir",
      paramLabel = "ROOT",
      description = "A local dir, in place of those of yarn-site.xml. May be repeated.")
  private List<Path> dirs = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    Question question = question();
    Roots roots = Roots.of(given(question), new KernelClassifier());
    question.path().ifPresent(path -> inLocalDir(path, roots));
    Answer answer;
    try (Progress progress = terminal.progress("Looking for " + asked)) {
      answer = answer(question, roots, progress);
    }
    if (answer.files().isEmpty()) {
      throw new CommandFailure(nothing(question, roots));
    }
    new ExplainText(json.textOf(terminal)).print(answer);
    json.write(ExplainJson.of(answer), terminal);
    return answer.files().stream().anyMatch(f -> f.exists() || f.record().isPresent())
        ? ExitCodes.FINE
        : ExitCodes.FAILED;
  }

  private Question question() {
    try {
      return Question.of(asked);
    } catch (InvalidPathException e) {
      throw terminal.wrongUse("'" + asked + "' is neither a path nor an id: " + e.getMessage());
    }
  }

  /** Without a name, a marker or YARN's folders, the path was taken for a local dir itself. */
  private void inLocalDir(Path path, Roots roots) {
    boolean guessed = dirs.isEmpty() && confDir == null && !roots.marked();
    if (roots.layout().dirOf(path).isEmpty() || (guessed && roots.paths().contains(path))) {
      throw new CommandFailure(
          path
              + " is in no local dir"
              + (guessed
                  ? ": no folder above it has the marker of a NodeManager with TempTier. Name the"
                      + " local dirs by --conf-dir DIR, or --dir ROOT for each."
                  : " of this node; those are "
                      + roots.paths().stream().map(Path::toString).collect(Collectors.joining(", "))
                      + "."));
    }
  }

  private static Answer answer(Question question, Roots roots, Progress progress)
      throws IOException {
    List<Path> applicationDirs =
        question.application().isPresent()
            ? Explainer.applicationDirs(roots.paths(), question.application().get())
            : List.of();
    progress.say("reading journals");
    Journals journals = Journals.read(roots.paths(), applicationDirs);
    Explainer explainer = new Explainer(roots, journals);
    progress.say("reading local dirs");
    List<Explanation> files;
    if (question.path().isEmpty()) {
      files = explainer.explainAll(applicationDirs, question);
    } else if (Files.isDirectory(question.path().get())
        && journals.of(question.path().get()).isEmpty()) {
      files = explainer.explainAll(List.of(question.path().get()), question);
    } else {
      Explanation file = explainer.explain(question.path().get());
      files = file.exists() || file.record().isPresent() ? List.of(file) : List.of();
    }
    return new Answer(question, files);
  }

  private String nothing(Question question, Roots roots) {
    String where = roots.paths().stream().map(Path::toString).collect(Collectors.joining(", "));
    return question.path().isPresent()
        ? "There is no " + asked + ", and no record of it on this node."
        : "No file of "
            + asked
            + " in "
            + where
            + ". It may have run on other nodes, or its files are deleted: YARN deletes them with"
            + " the application (yarn.nodemanager.delete.debug-delay-sec keeps them).";
  }

  /** The roots the user names, in one way or another. */
  private List<Path> given(Question question) {
    if (!dirs.isEmpty()) {
      return dirs.stream().map(dir -> existing(dir.toAbsolutePath().normalize())).toList();
    }
    Path conf = confDir;
    if (conf == null && System.getenv("HADOOP_CONF_DIR") != null) {
      conf = Path.of(System.getenv("HADOOP_CONF_DIR"));
    }
    if (conf != null && (confDir != null || question.path().isEmpty())) {
      return ofConfiguration(conf);
    }
    if (question.path().isPresent()) {
      return List.of(NodeMarker.rootOf(question.path().get()));
    }
    throw terminal.wrongUse(
        "An id needs the local dirs: give --conf-dir DIR, or --dir ROOT for each.");
  }

  private Path existing(Path dir) {
    terminal.readable("--dir", dir);
    return dir;
  }

  private List<Path> ofConfiguration(Path conf) {
    terminal.readable("--conf-dir", conf);
    if (!Files.exists(conf.resolve("yarn-site.xml"))) {
      throw terminal.wrongUse("--conf-dir " + conf + " holds no yarn-site.xml.");
    }
    Configuration node = new RolloutReader(conf).readOrFail().node();
    return Stream.of(node.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS))
        .map(dir -> Path.of(dir.replaceFirst("^file:/*", "/")).toAbsolutePath().normalize())
        .toList();
  }
}
