// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.fixtures.Trees;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tarball that the build made, unpacked and used as an operator would. */
class TarballIT {
  /** What a Hadoop node may get from us: our packages, and shims that must lie in Hadoop's. */
  private static final List<String> OURS =
      List.of(
          "META-INF/",
          "io/temptier/",
          "org/apache/hadoop/fs/LocalDirSeam",
          "org/apache/hadoop/mapred/");

  /** The major version of its class files. */
  private static final int JAVA_8 = 52;

  private static final Pattern HADOOP_JAR = Pattern.compile("/hadoop-[^/]+\\.jar!/");

  @TempDir static Path folder;
  private static Path unpacked;

  @BeforeAll
  static void unpack() throws Exception {
    String tarball = System.getProperty("temptier.tarball");
    Ran.of(folder, Map.of(), "tar", "-xzf", tarball, "-C", folder.toString()).ends(0);
    List<Path> roots = list(folder);
    assertEquals(1, roots.size(), () -> "one folder at the top, but " + roots);
    unpacked = roots.get(0);
  }

  @Test
  void holdsWhatTheInstallationNeeds() throws IOException {
    assertEquals(
        List.of(
            "hadoop33",
            "temptier-s3a-tuning",
            "temptier-shuffle-tier",
            "temptier-spark-tier",
            "temptier-tiered-localdirs"),
        names(unpacked.resolve("lib")));
    assertEquals(
        List.of(
            "sbom.json",
            "temptier-shuffle-tier-hadoop33",
            "temptier-spark-tier",
            "temptier-tiered-localdirs"),
        names(unpacked.resolve("lib/hadoop33")));
    assertEquals(List.of("picocli", "temptier-cli"), names(unpacked.resolve("cli")));
    for (String name : List.of("LICENSE", "NOTICE", "SHA256SUMS", "sbom.json", "temptier")) {
      assertTrue(Files.isRegularFile(unpacked.resolve(name)), name);
    }
    assertTrue(Files.isExecutable(unpacked.resolve("temptier")));
  }

  @Test
  void dropInJarsBringOnlyOurOwn() throws IOException {
    forEachEntry(
        jars(unpacked.resolve("lib")),
        (jar, entry) ->
            assertTrue(
                entry.isDirectory() || OURS.stream().anyMatch(entry.getName()::startsWith),
                () -> jar.getName() + ": " + entry));
  }

  private interface Seen {
    void entry(JarFile jar, JarEntry entry) throws IOException;
  }

  private static void forEachEntry(List<Path> jars, Seen seen) throws IOException {
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile())) {
        for (JarEntry entry : Collections.list(jar.entries())) {
          seen.entry(jar, entry);
        }
      }
    }
  }

  /** What others compiled may be for an older Java. */
  @Test
  void noClassIsNewerThanJava8() throws IOException {
    AtomicInteger ours = new AtomicInteger();
    forEachEntry(
        Trees.below(unpacked).stream().filter(file -> file.toString().endsWith(".jar")).toList(),
        (jar, entry) -> {
          String name = entry.getName();
          // Those are for later Javas alone.
          boolean later = name.startsWith("META-INF/versions/") || name.equals("module-info.class");
          if (name.endsWith(".class") && !later) {
            DataInputStream in = new DataInputStream(jar.getInputStream(entry));
            assertEquals(0xcafebabe, in.readInt(), name);
            in.readUnsignedShort();
            int version = in.readUnsignedShort();
            boolean temptier = name.startsWith("io/temptier/") && !name.contains("/shaded/");
            ours.addAndGet(temptier ? 1 : 0);
            assertTrue(
                version == JAVA_8 || (!temptier && version < JAVA_8),
                () -> jar.getName() + ": " + name + " is of version " + version);
          }
        });
    assertTrue(ours.get() > 500, "only " + ours);
  }

  @Test
  void dropInJarsRepeatNoClassOfHadoop() throws IOException {
    ClassLoader loader = TarballIT.class.getClassLoader();
    forEachEntry(
        jars(unpacked.resolve("lib")),
        (jar, entry) ->
            assertTrue(
                !entry.getName().endsWith(".class")
                    || loader
                        .resources(entry.getName())
                        .noneMatch(url -> HADOOP_JAR.matcher(url.toString()).find()),
                () -> jar.getName() + " repeats " + entry));
  }

  @Test
  void sumsCoverEveryFile() throws Exception {
    Ran.of(unpacked, Map.of(), "sha256sum", "--quiet", "-c", "SHA256SUMS").ends(0);
    Set<String> summed = new TreeSet<>();
    for (String line : Files.readAllLines(unpacked.resolve("SHA256SUMS"))) {
      summed.add(line.substring(66));
    }
    Set<String> found = new TreeSet<>();
    Trees.below(unpacked).stream()
        .filter(Files::isRegularFile)
        .forEach(file -> found.add(unpacked.relativize(file).toString()));
    found.remove("SHA256SUMS");
    assertEquals(found, summed);
  }

  @Test
  void sbomNamesWhatIsShippedAndNoHadoop() throws IOException {
    String sbom = Files.readString(unpacked.resolve("sbom.json"));
    Texts.has(
        sbom,
        "pkg:maven/info.picocli/picocli@",
        "pkg:maven/io.temptier/temptier-tiered-localdirs@");
    assertEquals(-1, sbom.indexOf("pkg:maven/org.apache.hadoop/"), sbom);
  }

  @Test
  void saysWhatToDoWithoutHadoop() throws Exception {
    launch(unpacked.resolve("temptier"), noHadoop(), "status").ends(1, "Set HADOOP_HOME");
  }

  @Test
  void runsWithTheHadoopItFinds(@TempDir Path home) throws Exception {
    Map<String, String> environment = new TreeMap<>(noHadoop());
    environment.put("HADOOP_HOME", Ran.hadoopHome(home).toString());
    Path link = home.resolve("bin/temptier");
    Files.createSymbolicLink(link, unpacked.resolve("temptier"));
    launch(link, environment, "--version").ends(0, "Hadoop 3.");
    launch(link, environment, "no-such-command").ends(2);
    launch(link, environment, "plan", "--help").ends(0);
    Path log = home.resolve("application_1700000000000_0001");
    Files.writeString(
        log,
        """
        {"Event":"SparkListenerApplicationStart","App ID":"a","Timestamp":1700000000000,"User":"ann"}
        {"Event":"SparkListenerTaskEnd","Task End Reason":{"Reason":"Success"},"Task Info":{"Host":"n"}}
        """);
    launch(link, environment, "plan", "--trace", log.toString(), "--fast=64g").ends(0, "-> 64 GiB");
  }

  @Test
  void saysWhatToDoWhereItWasUnpackedOverAnother(@TempDir Path over) throws Exception {
    Ran.of(folder, Map.of(), "cp", "-a", unpacked + "/.", over.toString()).ends(0);
    Files.write(over.resolve("cli/temptier-cli-0.0.1.jar"), new byte[0]);
    launch(over.resolve("temptier"), noHadoop(), "status")
        .ends(1, "There are two versions in " + over, "temptier-cli-0.0.1.jar");
  }

  /** An environment whose PATH has the tools of the system only. */
  private static Map<String, String> noHadoop() {
    return Map.of(
        "PATH", "/usr/bin:/bin", "HADOOP_HOME", "", "JAVA_HOME", System.getProperty("java.home"));
  }

  private static Ran launch(Path launcher, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add(0, launcher.toString());
    return Ran.of(folder, environment, command);
  }

  private static List<Path> list(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.sorted().toList();
    }
  }

  private static List<Path> jars(Path dir) throws IOException {
    return list(dir).stream().filter(Files::isRegularFile).toList();
  }

  /** Those of jars without their versions. */
  private static List<String> names(Path dir) throws IOException {
    return list(dir).stream()
        .map(file -> file.getFileName().toString().replaceFirst("-\\d.*\\.jar$", ""))
        .toList();
  }
}
