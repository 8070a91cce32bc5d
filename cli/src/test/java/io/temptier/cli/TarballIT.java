// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.ClassFiles;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

  private static final Pattern HADOOP_JAR = Pattern.compile("/hadoop-[^/]+\\.jar!/");

  /** Parts of the paths of jars and classes that the tarball holds. */
  private static final List<String> SHIPPED =
      List.of("/target/", "/io/temptier/", "/info/picocli/");

  @TempDir static Path folder;
  private static Path unpacked;

  @BeforeAll
  static void unpack() throws Exception {
    String tarball = System.getProperty("temptier.tarball");
    Outcome outcome = run(Map.of(), "tar", "-xzf", tarball, "-C", folder.toString());
    assertEquals(0, outcome.code(), outcome.text());
    List<Path> roots = list(folder);
    assertEquals(1, roots.size(), () -> "one folder at the top, but " + roots);
    unpacked = roots.get(0);
  }

  @Test
  void holdsWhatTheInstallationNeeds() throws IOException {
    List<String> drops = new ArrayList<>(names(unpacked.resolve("lib")));
    // The folder of what Hadoop 3.3 takes in their place.
    assertTrue(drops.remove("hadoop33"), drops::toString);
    assertEquals(4, drops.size(), drops::toString);
    assertTrue(drops.get(0).startsWith("s3a-tuning-"), drops::toString);
    assertTrue(drops.get(1).startsWith("shuffle-tier-"), drops::toString);
    assertTrue(drops.get(2).startsWith("spark-tier-"), drops::toString);
    assertTrue(drops.get(3).startsWith("tiered-localdirs-"), drops::toString);
    List<String> hadoop33 = names(unpacked.resolve("lib/hadoop33"));
    assertEquals(4, hadoop33.size(), hadoop33::toString);
    assertEquals("sbom.json", hadoop33.get(0));
    assertTrue(hadoop33.get(1).startsWith("shuffle-tier-hadoop33-"), hadoop33::toString);
    assertTrue(hadoop33.get(2).startsWith("spark-tier-"), hadoop33::toString);
    assertTrue(hadoop33.get(3).startsWith("tiered-localdirs-"), hadoop33::toString);
    List<String> tool = names(unpacked.resolve("cli"));
    assertEquals(2, tool.size(), tool::toString);
    assertTrue(tool.get(0).startsWith("cli-"), tool::toString);
    assertTrue(tool.get(1).startsWith("picocli-"), tool::toString);
    for (String name : List.of("LICENSE", "NOTICE", "SHA256SUMS", "sbom.json", "temptier")) {
      assertTrue(Files.isRegularFile(unpacked.resolve(name)), name);
    }
    assertTrue(Files.isExecutable(unpacked.resolve("temptier")));
  }

  @Test
  void dropInJarsBringOnlyOurOwn() throws IOException {
    for (Path jar : jars(unpacked.resolve("lib"))) {
      try (JarFile file = new JarFile(jar.toFile())) {
        List<String> foreign =
            file.stream()
                .filter(entry -> !entry.isDirectory())
                .map(entry -> entry.getName())
                .filter(name -> OURS.stream().noneMatch(name::startsWith))
                .toList();
        assertEquals(List.of(), foreign, jar::toString);
      }
    }
  }

  /** What others compiled may be for an older Java. */
  @Test
  void noClassIsNewerThanJava8() throws IOException {
    int ours = 0;
    List<Path> jars;
    try (Stream<Path> files = Files.walk(unpacked)) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
    for (Path jar : jars) {
      for (Map.Entry<String, Integer> each : ClassFiles.versions(jar).entrySet()) {
        int version = each.getValue();
        String name = each.getKey();
        boolean own = name.startsWith("io/temptier/") && !name.contains("/shaded/");
        ours += own ? 1 : 0;
        assertTrue(
            version == ClassFiles.JAVA_8 || (!own && version < ClassFiles.JAVA_8),
            () -> jar + ": " + each);
      }
    }
    assertTrue(ours > 800, "only " + ours);
  }

  @Test
  void dropInJarsRepeatNoClassOfHadoop() throws IOException {
    for (Path jar : jars(unpacked.resolve("lib"))) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : Collections.list(file.entries())) {
          if (entry.getName().endsWith(".class")) {
            List<String> copies =
                TarballIT.class
                    .getClassLoader()
                    .resources(entry.getName())
                    .map(URL::toString)
                    .toList();
            List<String> theirs =
                copies.stream().filter(url -> HADOOP_JAR.matcher(url).find()).toList();
            assertEquals(List.of(), theirs, jar + " repeats a class");
          }
        }
      }
    }
  }

  @Test
  void sumsCoverEveryFile() throws Exception {
    Map<String, String> said = new TreeMap<>();
    for (String line : Files.readAllLines(unpacked.resolve("SHA256SUMS"))) {
      said.put(line.substring(66), line.substring(0, 64));
    }
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(unpacked)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = unpacked.relativize(file).toString();
        if (!name.equals("SHA256SUMS")) {
          found.put(name, sha256(file));
        }
      }
    }
    assertEquals(found, said);
  }

  @Test
  void sbomNamesWhatIsShippedAndNoHadoop() throws IOException {
    String sbom = Files.readString(unpacked.resolve("sbom.json"));
    assertTrue(sbom.contains("pkg:maven/info.picocli/picocli@"), sbom);
    assertTrue(sbom.contains("pkg:maven/org.webjars.npm/chart.js@"), sbom);
    assertTrue(sbom.contains("pkg:maven/io.temptier/tiered-localdirs@"), sbom);
    assertEquals(-1, sbom.indexOf("pkg:maven/org.apache.hadoop/"), sbom);
  }

  @Test
  void saysWhatToDoWithoutHadoop() throws Exception {
    Outcome outcome = launch(unpacked.resolve("temptier"), noHadoop(), "status");
    assertEquals(1, outcome.code(), outcome.text());
    assertTrue(outcome.text().contains("Set HADOOP_HOME"), outcome.text());
  }

  @Test
  void runsWithTheHadoopItFinds(@TempDir Path home) throws Exception {
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path hadoop = bin.resolve("hadoop");
    Files.writeString(hadoop, "#!/bin/sh\necho '" + hadoopJars() + "'\n");
    Files.setPosixFilePermissions(hadoop, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path link = bin.resolve("temptier");
    Files.createSymbolicLink(link, unpacked.resolve("temptier"));
    Map<String, String> environment = new TreeMap<>(noHadoop());
    environment.put("HADOOP_HOME", home.toString());
    Outcome outcome = launch(link, environment, "--version");
    assertEquals(0, outcome.code(), outcome.text());
    assertTrue(outcome.text().contains("Hadoop 3."), outcome.text());
    outcome = launch(link, environment, "no-such-command");
    assertEquals(2, outcome.code(), outcome.text());
    outcome = launch(link, environment, "plan", "--help");
    assertEquals(0, outcome.code(), outcome.text());
    Path log = home.resolve("application_1700000000000_0001");
    Files.writeString(
        log,
        """
        {"Event":"SparkListenerApplicationStart","App ID":"a","Timestamp":1700000000000,"User":"ann"}
        {"Event":"SparkListenerTaskEnd","Task End Reason":{"Reason":"Success"},"Task Info":{"Host":"n"}}
        """);
    outcome = launch(link, environment, "plan", "--trace", log.toString(), "--fast=64g");
    assertEquals(0, outcome.code(), outcome.text());
    assertTrue(outcome.text().contains("-> 64 GiB"), outcome.text());
    // Fine, or a doubt about the machine's disk.
    outcome = launch(link, environment, "probe", "--seconds=1", "--size=1m", home.toString());
    assertTrue(outcome.code() <= 1, outcome.text());
    assertTrue(outcome.text().contains("temptier.local-dirs = "), outcome.text());
  }

  @Test
  void saysWhatToDoWhereItWasUnpackedOverAnother(@TempDir Path over) throws Exception {
    Outcome copied = run(Map.of(), "cp", "-a", unpacked + "/.", over.toString());
    assertEquals(0, copied.code(), copied.text());
    Files.write(over.resolve("cli/cli-0.0.1.jar"), new byte[0]);
    Outcome outcome = launch(over.resolve("temptier"), noHadoop(), "status");
    assertEquals(1, outcome.code(), outcome.text());
    assertTrue(outcome.text().contains("There are two versions in " + over), outcome.text());
    assertTrue(outcome.text().contains("cli-0.0.1.jar"), outcome.text());
  }

  /** This JVM's class path without what the tarball itself has to hold. */
  private static String hadoopJars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> SHIPPED.stream().noneMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** An environment whose PATH has the tools of the system only. */
  private static Map<String, String> noHadoop() {
    return Map.of(
        "PATH", "/usr/bin:/bin", "HADOOP_HOME", "", "JAVA_HOME", System.getProperty("java.home"));
  }

  private static Outcome launch(Path launcher, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add(0, launcher.toString());
    return run(environment, command.toArray(String[]::new));
  }

  private static Outcome run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Path output = Files.createTempFile("tarball", ".out");
    try {
      Process process = builder.redirectOutput(output.toFile()).start();
      if (!process.waitFor(10, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(List.of(command) + " did not end: " + Files.readString(output));
      }
      return new Outcome(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  private static List<Path> list(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.sorted().toList();
    }
  }

  private static List<Path> jars(Path dir) throws IOException {
    return list(dir).stream().filter(Files::isRegularFile).toList();
  }

  private static List<String> names(Path dir) throws IOException {
    return list(dir).stream().map(file -> String.valueOf(file.getFileName())).toList();
  }

  private static String sha256(Path file) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }

  private record Outcome(int code, String text) {}
}
