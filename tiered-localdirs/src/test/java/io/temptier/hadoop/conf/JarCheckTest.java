// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars on a class path, real ones, that do not belong together. */
class JarCheckTest {
  private static final String LISTENER = "io/temptier/hadoop/NodeManagerTiering.class";
  private static final String HANDLER = "io/temptier/shuffle/TieredShuffleHandler.class";

  private static final Map<String, String> ARTIFACTS =
      Map.of(
          "placement", "temptier-tiered-localdirs",
          "handler", "temptier-shuffle-tier",
          "handler33", "temptier-shuffle-tier-hadoop33",
          "hadoop", "hadoop-common");

  @TempDir Path dir;

  private final List<Path> classPath = new ArrayList<>();

  /** What a jar of ours, or Hadoop's, holds. A shaded one holds what is of others in it, too. */
  private static List<String> entries(String artifact) {
    return switch (artifact) {
      case "hadoop-common" -> List.of("common-version-info.properties");
      case "temptier-tiered-localdirs" -> List.of(LISTENER, pom(artifact));
      case "temptier-shuffle-tier" -> List.of(HANDLER, pom(artifact));
      default -> List.of(HANDLER, pom("temptier-shuffle-tier"), pom(artifact));
    };
  }

  private static String pom(String artifact) {
    return "META-INF/maven/io.temptier/" + artifact + "/pom.properties";
  }

  /** A jar on the class path. */
  private Path jar(String name, List<String> entries, String content) throws IOException {
    Path jar = dir.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String entry : entries) {
        out.putNextEntry(new ZipEntry(entry));
        out.write(content.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    classPath.add(jar);
    return jar;
  }

  private Path jar(String artifact, String version) throws IOException {
    return jar(artifact + "-" + version + ".jar", entries(artifact), "version=" + version);
  }

  private void hadoop(String version) throws IOException {
    jar("hadoop-common", version);
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

  @Test
  void oneJarByTwoNamesIsOne() throws IOException {
    Path jar = jar("temptier-tiered-localdirs", "0.2.0");
    classPath.add(Files.createSymbolicLink(dir.resolve("link.jar"), jar));
    assertEquals("", ask(JarCheck::versions));
  }

  /** Where TempTier's handler is not right, placement works. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // As after a tarball was unpacked over another.
        "placement-0.1.0 placement-0.2.0; more than once & dirs-0.1.0 & dirs-0.2.0"
            + " & one version only;",
        "placement-0.2.0 handler-0.1.0; several versions & 0.1.0 in"
            + " $DIR/temptier-shuffle-tier-0.1.0.jar & 0.2.0 in"
            + " $DIR/temptier-tiered-localdirs-0.2.0.jar & one version only;",
        "placement-0.2.0 handler33-0.2.0 hadoop-3.3.4;;",
        "placement-0.2.0 handler-0.2.0 hadoop-3.4.0;;",
        "placement-0.2.0 handler-0.2.0 hadoop-3.5.0;;",
        "handler33-0.2.0 hadoop-3.2.4;; needs Hadoop 3.3 to 3.5 & this is 3.2.4",
        "handler-0.2.0 hadoop-3.6.0;; needs Hadoop 3.3 to 3.5 & this is 3.6.0",
        "handler-0.2.0 handler33-0.2.0 hadoop-3.3.6;; more than once &"
            + " $DIR/temptier-shuffle-tier-0.2.0.jar &"
            + " $DIR/temptier-shuffle-tier-hadoop33-0.2.0.jar & Leave the one",
      })
  void jarsThatDoNotBelongTogetherAreTold(String jars, String versions, String shuffle)
      throws IOException {
    for (String jar : jars.split(" ", -1)) {
      String artifact = jar.replaceFirst("-.*", "");
      jar(Objects.requireNonNull(ARTIFACTS.get(artifact)), jar.substring(artifact.length() + 1));
    }
    assertSays(versions, ask(JarCheck::versions));
    assertSays(shuffle, ask(JarCheck::shuffle));
    assertEquals("", ask(JarCheck::hadoop));
  }

  private void assertSays(@Nullable String parts, String answer) {
    if (parts == null) {
      assertEquals("", answer);
    } else {
      Texts.has(answer, parts.replace("$DIR", dir.toString()).split(" & ", -1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0.0-alpha1", "3.0.3", "2.10.2", "trunk", "3", "31.4.2"})
  void aHadoopThatIsTooOldOrUnknownIsTold(String version) throws IOException {
    hadoop(version);
    Texts.has(ask(JarCheck::hadoop), "Hadoop " + version + " is not known", "3.1 and later");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3.1.1.7.1.9.0-387",
        "3.2.4",
        "3.3.6-amzn-3",
        "3.4.2",
        "3.5.0",
        "3.5-SNAPSHOT",
        "3.6.0"
      })
  void vendorsHadoopsAreKnown(String version) throws IOException {
    hadoop(version);
    assertEquals("", ask(JarCheck::hadoop));
  }

  /** The handler of another Hadoop: a vendor's 3.3 may have that of 3.4, so its classes count. */
  @ParameterizedTest
  @CsvSource({
    "3.3.6-vendor, ShuffleChannelHandler, temptier-shuffle-tier, temptier-shuffle-tier-hadoop33, 4",
    "3.4.0-vendor, ShuffleHandler$Shuffle, temptier-shuffle-tier-hadoop33, temptier-shuffle-tier, 3"
  })
  void classesOfHadoopOutweighItsVersion(
      String hadoop, String beside, String right, String wrong, int netty) throws IOException {
    hadoop(hadoop);
    String mapred = "org/apache/hadoop/mapred/";
    jar(
        "hadoop-mapreduce-client-shuffle.jar",
        List.of(mapred + "ShuffleHandler.class", mapred + beside + ".class"),
        "");
    Path jar = jar(right, "0.2.0");
    assertEquals("", ask(JarCheck::shuffle));
    classPath.remove(jar);
    jar = jar(wrong, "0.2.0");
    Texts.has(
        ask(JarCheck::shuffle),
        "this is " + hadoop + ", whose own shuffle handler is on Netty " + netty,
        jar + " is for Hadoop 3.",
        "Put " + right + " of");
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
