// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

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

/** The drop-in jars of a commit, compiled from the history of this checkout. */
final class EarlierRelease {
  static final String VERSION = "0.0.1-earlier";

  private final HadoopRuntime hadoop;
  private final Path folder;

  private EarlierRelease(HadoopRuntime hadoop, Path folder) {
    this.hadoop = hadoop;
    this.folder = folder;
  }

  /**
   * Makes its jars, or skips the test where there is no history, as in a source tarball.
   *
   * @param commit in full
   * @param folder for sources, classes and jars
   * @return the folder of the jars
   */
  static Path build(HadoopRuntime hadoop, String commit, Path folder) throws IOException {
    Path root = HadoopRuntime.sourceRoot().orElseThrow();
    Path archive = folder.resolve("sources.tar");
    try {
      List<String> sources = List.of("tiered-localdirs/src", "shuffle-tier/src");
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
    return lib;
  }

  private void compile(Path classes, List<String> options, Path sources) throws IOException {
    String ofTests =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.contains("jspecify"))
            .collect(Collectors.joining(File.pathSeparator));
    String before = folder.resolve("tiered-classes").toString();
    String classPath =
        String.join(File.pathSeparator, before, ofTests, JavaCommand.path(hadoop.jars()));
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> quiet = List.of("-nowarn", "-proc:none");
      run("javac", Shell.line(quiet, "-d", classes, "-cp", classPath, options, java));
    }
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
