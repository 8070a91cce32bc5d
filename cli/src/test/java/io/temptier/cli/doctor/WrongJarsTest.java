// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that are where they should be, and do not fit each other or Hadoop's. */
class WrongJarsTest {
  @TempDir Path dir;

  private Conf conf;
  private Path hadoop;

  @BeforeEach
  void jars() throws IOException {
    conf = new Conf(dir);
    Files.delete(conf.lib().resolve("temptier.jar"));
    hadoop = dir.resolve("hadoop");
    conf.script(
        "export HADOOP_HOME=" + hadoop + "\nexport HADOOP_CLASSPATH=" + conf.lib() + "/*\n");
    hadoop("3.4.2");
    placement("0.2.0");
    handler("shuffle-tier", "0.2.0");
    assertEquals(ExitCodes.FINE, doctor().code(), doctor().out());
  }

  private static String pom(String artifact) {
    return "META-INF/maven/io.temptier/" + artifact + "/pom.properties";
  }

  private void hadoop(String version) {
    conf.jar(
        hadoop.resolve("share/hadoop/common/hadoop-common.jar"),
        "org.apache.hadoop.conf.Configuration",
        "common-version-info.properties",
        version);
  }

  private void placement(String version) {
    conf.jar(
        conf.lib().resolve("tiered-localdirs-" + version + ".jar"),
        PluginClass.NODE_MANAGER.className(),
        pom("tiered-localdirs"),
        version);
    conf.jar(conf.lib().resolve("hook.jar"), "io.temptier.hook.HookFileSystem");
  }

  private void handler(String artifact, String version) {
    conf.jar(
        conf.lib().resolve(artifact + "-" + version + ".jar"),
        PluginClass.SHUFFLE.className(),
        pom(artifact),
        version);
  }

  private Run doctor() {
    return Run.of("doctor", "--conf-dir", conf.write().toString());
  }

  private void assertError(String... words) {
    Run run = doctor();
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.contains("ERROR HADOOP_CLASSPATH"), text);
    for (String word : words) {
      assertTrue(text.contains(word), word + " is missing:\n" + text);
    }
  }

  @Test
  void aTarballUnpackedOverAnotherIsAnError() {
    placement("0.1.0");
    assertError("more than once", "tiered-localdirs-0.1.0.jar", "behaves as stock", "one version");
  }

  @Test
  void jarsOfTwoVersionsAreAnError() throws IOException {
    Files.delete(conf.lib().resolve("shuffle-tier-0.2.0.jar"));
    handler("shuffle-tier", "0.1.0");
    assertError("several versions: 0.1.0 in ", "0.2.0 in ", "behaves as stock", "one version");
  }

  @Test
  void aHadoopThatIsUnknownIsAnError() {
    hadoop("3.6.0");
    assertError("Hadoop 3.6.0 is not known", "3.1 to 3.5", "behaves as stock");
  }

  @Test
  void theHandlerOfHadoop33OnALaterOneIsAnError() throws IOException {
    Files.delete(conf.lib().resolve("shuffle-tier-0.2.0.jar"));
    handler("shuffle-tier-hadoop33", "0.2.0");
    assertError("is for Hadoop 3.3, and this is 3.4.2", "Hadoop's own shuffle handler serves");
  }

  @Test
  void theHandlerOfALaterHadoopOn33IsAnError() {
    hadoop("3.3.6");
    assertError("is for Hadoop 3.4 and later, and this is 3.3.6", "Put shuffle-tier-hadoop33");
  }

  @Test
  void bothHandlersAreAnError() {
    handler("shuffle-tier-hadoop33", "0.2.0");
    assertError("shuffle handler is there more than once", "Leave the one for this Hadoop");
  }

  @Test
  void aHandlerThatIsNotConfiguredMayBeAny() {
    hadoop("3.3.6");
    conf.unset(Conf.YARN, PluginClass.SHUFFLE.key());
    assertEquals(ExitCodes.FINE, doctor().code(), doctor().out());
  }
}
