// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import io.temptier.tier.BuildVersion;
import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The jars that make up a node: Hadoop's own, as the build resolved them, and TempTier's drop-in
 * jars.
 *
 * @param dropIns TempTier's jars (or class folders, when run from an IDE), absolute
 * @param javaHome the Java of daemons, clients and tasks
 */
public record HadoopRuntime(List<Path> jars, List<Path> dropIns, Path javaHome) {
  /** System property: the version of Hadoop that clusters run, in place of the build's own. */
  public static final String HADOOP = "temptier.hadoop";

  /** System property: the Java that clusters run on, in place of this JVM's. */
  public static final String JAVA_HOME = "temptier.java-home";

  private static final String OWN_CLASS = "io/temptier/lab/cluster/HadoopRuntime.class";
  private static final String MODULE = "benchmarks/hadoop-runtime";
  private static final String SHUFFLE_HADOOP_33 = "shuffle-tier-hadoop33";
  private static final String COMMON = "hadoop-common-";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+-]+");

  private static final String SHUFFLE_CLASS = "io/temptier/shuffle/TieredShuffleHandler.class";

  /**
   * Classes, one of each drop-in jar; looked up as a resource, since Hadoop may not be loadable.
   */
  private static final List<String> DROP_IN_CLASSES =
      List.of(
          "io/temptier/tier/Medium.class",
          SHUFFLE_CLASS,
          "io/temptier/spark/TierPlugin.class",
          "io/temptier/s3a/endpoint/SpreadingS3ClientFactory.class");

  public HadoopRuntime {
    jars = List.copyOf(jars);
    dropIns = List.copyOf(dropIns);
  }

  /**
   * A node's jars and Java: what {@value #HADOOP} and {@value #JAVA_HOME} name, else this build's
   * and this JVM's.
   *
   * @throws IOException when it is not there; the message says what to do
   */
  public static HadoopRuntime locate() throws IOException {
    HadoopRuntime built = built();
    String version = System.getProperty(HADOOP, built.version());
    HadoopRuntime hadoop =
        version.equals(built.version()) ? built : ofVersion(version).withDropIns(built.dropIns);
    Path javaHome = Path.of(System.getProperty(JAVA_HOME, built.javaHome.toString()));
    if (!Files.isExecutable(javaHome.resolve("bin/java"))) {
      throw new IOException("there is no bin/java in " + javaHome);
    }
    return new HadoopRuntime(hadoop.jars, hadoop.dropIns, javaHome.toAbsolutePath());
  }

  /** Returns the runtime with those of TempTier's jars that this Hadoop takes. */
  HadoopRuntime withDropIns(List<Path> built) throws IOException {
    List<Path> fitting = new ArrayList<>();
    for (Path dropIn : built) {
      fitting.add(
          version().startsWith("3.3.") && dropIn.equals(shuffleOfThisBuild())
              ? shuffleForHadoop33()
              : dropIn);
    }
    return new HadoopRuntime(jars, fitting, javaHome);
  }

  /** The jar of {@code shuffle-tier}, or its folder of classes. */
  static Path shuffleOfThisBuild() throws IOException {
    return origin(SHUFFLE_CLASS);
  }

  /** The jar that takes its place where Hadoop is 3.3. */
  static Path shuffleForHadoop33() throws IOException {
    Path target = sourceRoot().orElseThrow().resolve(SHUFFLE_HADOOP_33).resolve("target");
    // Sources and Javadoc may lie beside it.
    Path jar = target.resolve("temptier-" + SHUFFLE_HADOOP_33 + "-" + BuildVersion.get() + ".jar");
    if (!Files.isReadable(jar)) {
      throw new NoSuchFileException(
          jar + ": build it with `mvn -pl " + SHUFFLE_HADOOP_33 + " -am package`");
    }
    return jar;
  }

  /**
   * Finds Hadoop's jars: those of a build are named in {@code
   * benchmarks/hadoop-runtime/target/classpath}; outside a source tree they are those that this JVM
   * itself runs with.
   *
   * @throws IOException when there are none, or jars that were named are gone; the message says
   *     what to do
   */
  private static HadoopRuntime built() throws IOException {
    List<Path> dropIns = new ArrayList<>();
    for (String name : DROP_IN_CLASSES) {
      Path origin = origin(name);
      if (!dropIns.contains(origin)) {
        dropIns.add(origin);
      }
    }
    return new HadoopRuntime(
        sourceRoot().isPresent() ? resolved(MODULE, "classpath") : ofThisJvm(dropIns),
        dropIns,
        JavaCommand.home());
  }

  /**
   * Hadoop of another version than this build's. Maven is asked once; it may have to fetch the
   * jars.
   *
   * @param version one that the root pom has a profile for
   */
  public static HadoopRuntime ofVersion(String version) throws IOException {
    Path root =
        sourceRoot().orElseThrow(() -> new IOException("it needs a source checkout, and Maven"));
    Path pom = root.resolve(MODULE + "/pom.xml");
    Path file = root.resolve("benchmarks/target/hadoop-" + version + ".classpath");
    HadoopRuntime runtime =
        new HadoopRuntime(byMaven(pom, file, "-Phadoop-" + version), List.of(), JavaCommand.home());
    if (!runtime.version().equals(version)) {
      Files.delete(file);
      throw new IOException("Maven gave Hadoop " + runtime.version() + " for it");
    }
    return runtime;
  }

  /**
   * Jars that the build of a module resolved, as a file in its {@code target} names them.
   *
   * @throws IOException when this is no source checkout, or it was not built; the message says what
   *     to do
   */
  static List<Path> resolved(String module, String file) throws IOException {
    Path root =
        sourceRoot()
            .orElseThrow(
                () -> new IOException("no release has the jars of " + module + ": use a checkout"));
    Path listed = root.resolve(module).resolve("target").resolve(file);
    if (!Files.isReadable(listed)) {
      throw new IOException(
          "%s is missing: build it with `mvn -pl %s generate-resources`".formatted(listed, module));
    }
    List<Path> jars = named(listed);
    for (Path jar : jars) {
      if (!Files.isReadable(jar)) {
        throw new IOException(
            jar + ", named in " + listed + ", is gone: delete that file and build again");
      }
    }
    return jars;
  }

  /**
   * The runtime class path of a pom. Maven is asked unless it was asked before and what it said is
   * still there; it may have to fetch the jars.
   */
  static List<Path> byMaven(Path pom, Path file, String... options) throws IOException {
    if (!Files.isReadable(file) || !named(file).stream().allMatch(Files::isReadable)) {
      // Two may ask at a time.
      Path answer = Path.of(file + "." + ProcessHandle.current().pid());
      List<String> asked = List.of("-Dmdep.includeScope=runtime", "-Dmdep.outputFile=" + answer);
      Shell.run(
          Shell.line("mvn", "-q", "-B", "-f", pom, options, "dependency:build-classpath", asked));
      Files.move(answer, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return named(file);
  }

  private static List<Path> named(Path file) throws IOException {
    return Stream.of(Files.readString(file).trim().split(File.pathSeparator, -1))
        .map(Path::of)
        .toList();
  }

  /** Returns the jars that the launcher of a release adds to TempTier's own. */
  private static List<Path> ofThisJvm(List<Path> dropIns) throws IOException {
    Path ours = origin(OWN_CLASS).getParent();
    // By their names: where TempTier is installed Hadoop's class path has them, too.
    List<Path> names = dropIns.stream().map(Path::getFileName).toList();
    List<Path> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar"))
            .map(entry -> Path.of(entry).toAbsolutePath().normalize())
            .filter(jar -> !names.contains(jar.getFileName()))
            .filter(jar -> !Objects.equals(ours, jar.getParent()))
            .toList();
    if (jars.stream().noneMatch(HadoopRuntime::isCommon)) {
      throw new IOException(
          "No hadoop-common jar is on the class path: set HADOOP_HOME to an installed Hadoop");
    }
    return jars;
  }

  private static boolean isCommon(Path jar) {
    return String.valueOf(jar.getFileName()).startsWith(COMMON);
  }

  /** Copies the jars into a folder, for users who may not read the build's. */
  public HadoopRuntime copiedTo(Path folder) throws IOException {
    return new HadoopRuntime(
        copies(jars, folder.resolve("jars")),
        copies(dropIns, folder.resolve("drop-ins")),
        javaHome);
  }

  private static List<Path> copies(List<Path> originals, Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> copies = new ArrayList<>();
    for (Path original : originals) {
      // Class folders of an IDE have the same name.
      String prefix = Files.isDirectory(original) ? copies.size() + "-" : "";
      Path copy = folder.resolve(prefix + original.getFileName());
      Shell.run("cp", "-r", original.toString(), copy.toString());
      copies.add(copy);
    }
    return copies;
  }

  public HadoopRuntime stock() {
    return new HadoopRuntime(jars, List.of(), javaHome);
  }

  public String version() {
    return jars.stream()
        .filter(HadoopRuntime::isCommon)
        .map(jar -> jar.getFileName().toString().replace(COMMON, "").replace(".jar", ""))
        .findFirst()
        .orElse("unknown");
  }

  /** Returns the version in the file {@code release} of the cluster's Java, or "unknown". */
  public String javaVersion() throws IOException {
    Path release = javaHome.resolve("release");
    if (!Files.isReadable(release)) {
      return "unknown";
    }
    Properties said = new Properties();
    try (var in = Files.newInputStream(release)) {
      said.load(in);
    }
    return said.getProperty("JAVA_VERSION", "unknown").replace("\"", "");
  }

  /** The root of the source tree this class was built in, when it was run from one. */
  public static Optional<Path> sourceRoot() throws IOException {
    return Optional.ofNullable(origin(OWN_CLASS).getParent())
        .map(Path::getParent)
        .map(Path::getParent)
        .filter(dir -> Files.isRegularFile(dir.resolve(MODULE + "/pom.xml")));
  }

  /** Returns where to make large folders: beside the build, or where temporary files go. */
  public static Path workFolder() throws IOException {
    return sourceRoot()
        .map(root -> root.resolve("benchmarks/target"))
        .filter(HadoopRuntime::plain)
        .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")))
        .toAbsolutePath();
  }

  /**
   * Returns where commands write their results: in {@code target} of the build, or of this folder.
   */
  public static Path resultFolder(String name) throws IOException {
    Path root = sourceRoot().orElseGet(() -> Path.of("").toAbsolutePath());
    return root.resolve("target").resolve(name);
  }

  /** True if YARN can work there: it writes paths unquoted into scripts, lists and class paths. */
  public static boolean plain(Path folder) {
    return PLAIN.matcher(folder.toString()).matches();
  }

  /** The jar, or the folder of classes, that a class of this JVM comes from. */
  public static Path origin(Class<?> of) throws IOException {
    return origin(of.getName().replace('.', '/') + ".class");
  }

  static Path origin(String classFile) throws IOException {
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
