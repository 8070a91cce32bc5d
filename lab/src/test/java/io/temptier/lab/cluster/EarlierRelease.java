// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The drop-in jars of a commit and its {@code status}, compiled from this checkout's history. */
final class EarlierRelease {
  static final String VERSION = "0.0.1-earlier";

  /** Its {@code Main} would need all commands, and what they need. */
  private static final String STATUS =
      """
      public class Status {
        public static void main(String[] args) {
          new picocli.CommandLine(new io.temptier.cli.status.StatusCommand()).execute(args);
          System.exit(0);
        }
      }
      """;

  private final HadoopRuntime hadoop;
  private final Path folder;

  private EarlierRelease(HadoopRuntime hadoop, Path folder) {
    this.hadoop = hadoop;
    this.folder = folder;
  }

  /**
   * Makes it, or fails where there is no history, as in a source tarball.
   *
   * @param commit in full
   * @param folder for sources, classes and jars
   */
  static EarlierRelease build(HadoopRuntime hadoop, String commit, Path folder) throws IOException {
    Path root = HadoopRuntime.sourceRoot().orElseThrow();
    Path archive = folder.resolve("sources.tar");
    try {
      List<String> sources = List.of("tiered-localdirs/src", "shuffle-tier/src", "cli/src");
      Shell.run(Shell.line("git", "-C", root, "archive", "--output=" + archive, commit, sources));
    } catch (IOException e) {
      throw new IOException("needs the git history with commit " + commit, e);
    }
    Shell.run("tar", "-xf", archive.toString(), "-C", folder.toString());
    EarlierRelease release = new EarlierRelease(hadoop, folder);
    Path tiered = folder.resolve("tiered-classes");
    Path hook = folder.resolve("tiered-localdirs/src/hook");
    // As the build does: compiled against a stub of Hadoop's class, of which no class is made.
    release.compile(
        tiered,
        List.of("-implicit:none", "-Xprefer:source", "-sourcepath", hook.resolve("stub") + ""),
        hook.resolve("java"));
    release.compile(tiered, List.of(), folder.resolve("tiered-localdirs/src/main/java"));
    Path resources = folder.resolve("tiered-localdirs/src/main/resources");
    Shell.run("cp", "-r", resources + "/.", tiered.toString());
    Files.writeString(
        tiered.resolve("io/temptier/tier/version.properties"), "version=" + VERSION + "\n");
    Path lib = Files.createDirectories(folder.resolve("lib"));
    jar(lib.resolve("temptier-tiered-localdirs-" + VERSION + ".jar"), tiered);
    Path shuffle = folder.resolve("shuffle-classes");
    release.compile(
        shuffle, List.of("-sourcepath", ""), folder.resolve("shuffle-tier/src/main/java"));
    jar(lib.resolve("temptier-shuffle-tier-" + VERSION + ".jar"), shuffle);
    Path status = Files.createDirectories(folder.resolve("status"));
    Files.writeString(status.resolve("Status.java"), STATUS);
    release.compile(
        folder.resolve("status-classes"),
        List.of("-sourcepath", folder.resolve("cli/src/main/java").toString()),
        status);
    return release;
  }

  /** The folder of its drop-in jars. */
  Path lib() {
    return folder.resolve("lib");
  }

  /** What its {@code temptier status} says of a cluster. */
  JsonNode status(String resourceManager) throws IOException {
    Path json = folder.resolve("status.json");
    List<String> asked = Shell.line("--rm", resourceManager, "--timeout", "60s", "--json", json);
    Shell.run(Shell.line(JavaCommand.program(), "-cp", classPath(), "Status", asked));
    return new ObjectMapper().readTree(json.toFile());
  }

  private void compile(Path classes, List<String> options, Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> quiet = List.of("-nowarn", "-proc:none");
      run("javac", Shell.line(quiet, "-d", classes, "-cp", classPath(), options, java));
    }
  }

  private String classPath() {
    String ofTests =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.matches(".*/(jspecify|picocli)-.*"))
            .collect(Collectors.joining(File.pathSeparator));
    String own =
        Stream.of("tiered-classes", "shuffle-classes", "status-classes")
            .map(classes -> folder.resolve(classes).toString())
            .collect(Collectors.joining(File.pathSeparator));
    return String.join(File.pathSeparator, own, ofTests, JavaCommand.path(hadoop.jars()));
  }

  private static void jar(Path jar, Path classes) {
    run("jar", List.of("--create", "--file", jar.toString(), "-C", classes.toString(), "."));
  }

  private static void run(String tool, List<String> line) {
    int code =
        ToolProvider.findFirst(tool)
            .orElseThrow()
            .run(System.out, System.err, line.toArray(String[]::new));
    if (code != 0) {
      throw new AssertionError(tool + " ended with " + code);
    }
  }
}
