// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars on a class path, real ones, that do not belong together. */
class JarCheckTest {
  private static final String LISTENER = "io/temptier/hadoop/NodeManagerTiering.class";
  private static final String HANDLER = "io/temptier/shuffle/TieredShuffleHandler.class";

  @TempDir Path dir;

  private final List<Path> classPath = new ArrayList<>();

  /** A jar on the class path. */
  private Path jar(String name, Map<String, String> entries) {
    Path jar = dir.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    classPath.add(jar);
    return jar;
  }

  private static String pom(String artifact) {
    return "META-INF/maven/io.temptier/" + artifact + "/pom.properties";
  }

  private Path placement(String version) {
    String artifact = "tiered-localdirs";
    return jar(
        artifact + "-" + version + ".jar",
        Map.of(LISTENER, "", pom(artifact), "artifactId=" + artifact + "\nversion=" + version));
  }

  private Path handler(String artifact, String version) {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put(HANDLER, "");
    // A shaded jar holds those of what is in it, too.
    entries.put(pom("shuffle-tier"), "version=" + version);
    entries.put(pom(artifact), "version=" + version);
    return jar(artifact + "-" + version + ".jar", entries);
  }

  private void hadoop(String version) {
    jar(
        "hadoop-common-" + version + ".jar",
        Map.of("common-version-info.properties", "version=" + version));
  }

  private String ask(Function<JarCheck, Optional<JarCheck.Trouble>> question) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path entry : classPath) {
      urls.add(entry.toUri().toURL());
    }
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), null)) {
      return question.apply(JarCheck.of(loader)).map(JarCheck.Trouble::toString).orElse("");
    }
  }

  @Test
  void theJarsOfThisJvmAreFine() {
    JarCheck jars = JarCheck.of(JarCheck.class.getClassLoader());
    assertEquals(Optional.empty(), jars.versions());
    assertEquals(Optional.empty(), jars.hadoop(), VersionInfo.getVersion());
    assertEquals(Optional.empty(), jars.shuffle(), "there is none");
  }

  /** As after a tarball was unpacked over another. */
  @Test
  void aTarballOverAnotherIsTold() throws IOException {
    Path old = placement("0.1.0");
    Path now = placement("0.2.0");
    Texts.has(ask(JarCheck::versions), "more than once", "" + old, "" + now, "one version only");
  }

  @Test
  void oneJarByTwoNamesIsOne() throws IOException {
    Path jar = placement("0.2.0");
    classPath.add(Files.createSymbolicLink(dir.resolve("link.jar"), jar));
    assertEquals("", ask(JarCheck::versions));
  }

  @Test
  void jarsOfTwoVersionsAreTold() throws IOException {
    Path placement = placement("0.2.0");
    Path handler = handler("shuffle-tier", "0.1.0");
    Texts.has(
        ask(JarCheck::versions),
        "several versions",
        "0.1.0 in " + handler,
        "0.2.0 in " + placement,
        "one version only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.6.0", "4.0.0-alpha1", "3.0.3", "2.10.2", "trunk", "3", "31.4.2"})
  void aHadoopThatIsTooOldOrUnknownIsTold(String version) throws IOException {
    hadoop(version);
    Texts.has(ask(JarCheck::hadoop), "Hadoop " + version + " is not known", "3.1 to 3.5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"3.1.1.7.1.9.0-387", "3.2.4", "3.3.6-amzn-3", "3.4.2", "3.5.0", "3.5-SNAPSHOT"})
  void vendorsHadoopsAreKnown(String version) throws IOException {
    hadoop(version);
    assertEquals("", ask(JarCheck::hadoop));
  }

  @ParameterizedTest
  @CsvSource({
    "shuffle-tier-hadoop33, 3.4.2, 3.3",
    "shuffle-tier-hadoop33, 3.5.0, 3.3",
    "shuffle-tier, 3.3.6, 3.4 and later",
    "shuffle-tier, 3.3.6-amzn-3, 3.4 and later"
  })
  void theHandlerOfAnotherHadoopIsTold(String artifact, String hadoop, String itsOwn)
      throws IOException {
    Path jar = handler(artifact, "0.2.0");
    hadoop(hadoop);
    String right = itsOwn.equals("3.3") ? "Put shuffle-tier of" : "Put shuffle-tier-hadoop33 of";
    Texts.has(ask(JarCheck::shuffle), jar + " is for Hadoop " + itsOwn, "this is " + hadoop, right);
    assertEquals("", ask(JarCheck::hadoop), "placement works");
    assertEquals("", ask(JarCheck::versions), "placement works");
  }

  @ParameterizedTest
  @CsvSource({"shuffle-tier-hadoop33, 3.3.4", "shuffle-tier, 3.4.0", "shuffle-tier, 3.5.0"})
  void theJarsOfOneVersionForThisHadoopAreFine(String artifact, String hadoop) throws IOException {
    placement("0.2.0");
    handler(artifact, "0.2.0");
    hadoop(hadoop);
    assertEquals("", ask(JarCheck::versions));
    assertEquals("", ask(JarCheck::hadoop));
    assertEquals("", ask(JarCheck::shuffle));
  }

  /** A vendor's 3.3 may have the handler of 3.4, and the other way: its classes count. */
  @ParameterizedTest
  @CsvSource({
    "3.3.6-vendor, ShuffleChannelHandler, shuffle-tier, shuffle-tier-hadoop33, 4",
    "3.4.0-vendor, ShuffleHandler$Shuffle, shuffle-tier-hadoop33, shuffle-tier, 3"
  })
  void classesOfHadoopOutweighItsVersion(
      String hadoop, String beside, String right, String wrong, int netty) throws IOException {
    hadoop(hadoop);
    String mapred = "org/apache/hadoop/mapred/";
    jar(
        "hadoop-mapreduce-client-shuffle.jar",
        Map.of(mapred + "ShuffleHandler.class", "", mapred + beside + ".class", ""));
    Path jar = handler(right, "0.2.0");
    assertEquals("", ask(JarCheck::shuffle));
    classPath.remove(jar);
    handler(wrong, "0.2.0");
    Texts.has(
        ask(JarCheck::shuffle),
        "this is " + hadoop + ", whose own shuffle handler is on Netty " + netty,
        "Put " + right + " of");
  }

  @Test
  void aHadoopWithoutAHandlerOfOursIsTold() throws IOException {
    handler("shuffle-tier-hadoop33", "0.2.0");
    hadoop("3.2.4");
    Texts.has(ask(JarCheck::shuffle), "needs Hadoop 3.3 or later", "this is 3.2.4");
  }

  @Test
  void bothHandlersAreTold() throws IOException {
    Path one = handler("shuffle-tier", "0.2.0");
    Path other = handler("shuffle-tier-hadoop33", "0.2.0");
    hadoop("3.3.6");
    Texts.has(ask(JarCheck::shuffle), "more than once", "" + one, "" + other, "Leave the one");
    assertEquals("", ask(JarCheck::versions), "placement works");
  }

  /** The doctor's own stands in where the class path has no Hadoop. */
  @Test
  void aHadoopThatIsNotOnTheClassPathIsAskedFor() throws IOException {
    handler("shuffle-tier-hadoop33", "0.2.0");
    assertEquals("", ask(JarCheck::shuffle));
    Texts.has(ask(jars -> jars.orHadoop("3.4.2").shuffle()), "this is 3.4.2");
    hadoop("3.3.6");
    assertEquals("", ask(jars -> jars.orHadoop("3.4.2").shuffle()));
  }

  @Test
  void foldersOfClassesCountAsJarsDo() throws IOException {
    for (String name : List.of("one", "other")) {
      Path file = dir.resolve(name).resolve(LISTENER);
      Files.createDirectories(file.resolveSibling("."));
      Files.write(file, new byte[0]);
      classPath.add(dir.resolve(name));
    }
    Texts.has(ask(JarCheck::versions), dir.resolve("one") + ", " + dir.resolve("other") + ".");
  }
}
