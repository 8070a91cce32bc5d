// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The jars that make up a node: Hadoop's own, as the build resolved them, and TempTier's drop-in
 * jars.
 *
 * @param jars Hadoop's jars, absolute
 * @param dropIns TempTier's jars (or class folders, when run from an IDE), absolute
 */
public record HadoopRuntime(List<Path> jars, List<Path> dropIns) {
  /** System property: a file that holds Hadoop's class path, in place of the build's own. */
  public static final String CLASSPATH_FILE = "temptier.hadoop.classpath";

  /** One class of each drop-in jar; looked up as a resource, since Hadoop may not be loadable. */
  private static final List<String> DROP_IN_CLASSES =
      List.of(
          "io/temptier/tier/Medium.class",
          "io/temptier/mapreduce/TieredShuffle.class",
          "io/temptier/s3a/TieredS3AFileSystem.class");

  public HadoopRuntime {
    jars = List.copyOf(jars);
    dropIns = List.copyOf(dropIns);
  }

  /**
   * Finds what the build left: {@code benchmarks/hadoop-runtime/target/classpath} and the jars that
   * this JVM itself runs with.
   *
   * @throws IOException when the class path file is missing or names jars that are gone; the
   *     message says what to run
   */
  public static HadoopRuntime locate() throws IOException {
    Path file = classpathFile();
    if (!Files.isReadable(file)) {
      throw new IOException(
          "Hadoop's class path is not at "
              + file
              + ": build it with `mvn -pl benchmarks/hadoop-runtime generate-resources`, or name a"
              + " file with -D"
              + CLASSPATH_FILE);
    }
    List<Path> jars =
        Stream.of(Files.readString(file).trim().split(File.pathSeparator)).map(Path::of).toList();
    for (Path jar : jars) {
      if (!Files.isReadable(jar)) {
        throw new IOException(
            jar + ", named in " + file + ", is gone: delete that file and build again");
      }
    }
    List<Path> dropIns = new ArrayList<>();
    for (String name : DROP_IN_CLASSES) {
      Path origin = origin(name);
      if (!dropIns.contains(origin)) {
        dropIns.add(origin);
      }
    }
    return new HadoopRuntime(jars, dropIns);
  }

  /** This runtime without TempTier, as Hadoop is shipped. */
  public HadoopRuntime stock() {
    return new HadoopRuntime(jars, List.of());
  }

  /** The version in the name of Hadoop's common jar, or "unknown". */
  public String version() {
    return jars.stream()
        .map(jar -> jar.getFileName().toString())
        .filter(name -> name.startsWith("hadoop-common-"))
        .map(name -> name.replace("hadoop-common-", "").replace(".jar", ""))
        .findFirst()
        .orElse("unknown");
  }

  /** The root of the source tree this class was built in, when it was run from one. */
  public static Optional<Path> sourceRoot() throws IOException {
    Path target = origin("io/temptier/bench/cluster/HadoopRuntime.class").getParent();
    Path module = target == null ? null : target.getParent();
    Path root = module == null ? null : module.getParent();
    return Optional.ofNullable(root)
        .filter(dir -> Files.isRegularFile(dir.resolve("benchmarks/hadoop-runtime/pom.xml")));
  }

  /** Where to make large folders: beside the build, or where temporary files go. */
  public static Path workFolder() throws IOException {
    return sourceRoot()
        .map(root -> root.resolve("benchmarks/target"))
        .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")))
        .toAbsolutePath();
  }

  private static Path classpathFile() throws IOException {
    String named = System.getProperty(CLASSPATH_FILE);
    if (named != null) {
      return Path.of(named);
    }
    return sourceRoot()
        .orElseThrow(
            () ->
                new IOException(
                    "Not run from a source tree: name the file with Hadoop's class path with -D"
                        + CLASSPATH_FILE))
        .resolve("benchmarks/hadoop-runtime/target/classpath");
  }

  /** The jar or folder a class comes from. */
  private static Path origin(String classFile) throws IOException {
    URL url = HadoopRuntime.class.getClassLoader().getResource(classFile);
    if (url == null) {
      throw new IOException("The class path of this JVM has no " + classFile);
    }
    try {
      if (url.openConnection() instanceof JarURLConnection jar) {
        return Path.of(jar.getJarFileURL().toURI()).toAbsolutePath();
      }
      String text = url.toURI().getPath();
      return Path.of(text.substring(0, text.length() - classFile.length())).toAbsolutePath();
    } catch (URISyntaxException e) {
      throw new IOException("Cannot tell where " + url + " lies", e);
    }
  }
}
