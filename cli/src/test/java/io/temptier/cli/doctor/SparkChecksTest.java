// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkChecksTest {
  private static final String PLUGIN = "io.temptier.spark.TierPlugin";

  private static final String SOUND =
      """
      spark.plugins %s
      spark.executor.extraClassPath LIB/*
      spark.driver.extraClassPath LIB/*
      """
          .formatted(PLUGIN);

  private final Path dir;
  private final Conf conf;

  SparkChecksTest(@TempDir Path dir) {
    this.dir = dir;
    conf = new Conf(dir);
    conf.jar(conf.lib().resolve("plugin.jar"), PLUGIN, "io.temptier.tier.placer.Placer");
  }

  private void defaults(String text) throws IOException {
    String lib = conf.lib().toString();
    Files.writeString(dir.resolve("spark-defaults.conf"), text.replace("LIB", lib));
  }

  @Test
  void aSoundConfigurationIsReady() throws IOException {
    // There is no such file.
    conf.ready().lacks("Spark: ");
    defaults(SOUND);
    conf.ready().says("spark-defaults.conf", "Spark: ok");
  }

  @Test
  void aPluginWithoutItsJarIsAnError() throws IOException {
    defaults(SOUND.replace("LIB", Files.createDirectories(dir.resolve("empty")).toString()));
    conf.says("ERROR spark.executor.extraClassPath", PLUGIN);
    defaults("spark.plugins " + PLUGIN);
    conf.says("UNKNOWN spark.driver.extraClassPath", "It has nothing of TempTier");
    conf.says("UNKNOWN spark.executor.extraClassPath", "It has nothing of TempTier");
    Path named = conf.lib().resolveSibling("temptier");
    Files.move(conf.lib(), named);
    conf.script("export HADOOP_CLASSPATH=" + named + "/*\n");
    conf.set(Conf.YARN, "yarn.nodemanager.admin-env.CLASSPATH", ".:" + named + "/*");
    conf.doctor().lacks("spark.executor.extraClassPath");
  }

  @Test
  void whatIsNoUtf8IsReadAsSparkDoes() throws IOException {
    defaults(SOUND);
    Path file = dir.resolve("spark-defaults.conf");
    String text = "# M\u00fcnchen\n" + Files.readString(file);
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    conf.ready().says("Spark: ok");
  }

  /** The last line of a property counts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plugins | PLUGINs | ERROR | PLUGINs does not exist; The class is PLUGIN",
        "plugins | '' | WARNING | Spark chooses among the local dirs itself",
        "shuffle.service.enabled | true | ERROR | NodeManagers have no service spark_shuffle",
        "temptier.demotions | false | WARNING | Did you mean spark.temptier.demotion?",
        "temptier.reserve | 20% | WARNING | On YARN it has no effect; Set temptier.reserve in yarn",
        "temptier.enabled | yes | ERROR | It is not true or false",
        "temptier.driver | 1 | ERROR | It is not true or false",
        "temptier.demotion | on | ERROR | It is not true or false",
        "temptier.local-dirs | [NVM]/x | ERROR | Did you mean NVME?"
      })
  void aPropertyIsToldWithItsValue(String key, String value, String severity, String said)
      throws IOException {
    String given = value.replace("PLUGIN", PLUGIN);
    defaults(SOUND + "spark." + key + " " + given + "\n");
    String head = severity + " spark." + key + (given.isEmpty() ? "" : " = " + given);
    conf.says(head, said.replace("PLUGIN", PLUGIN).split("; ", -1));
  }

  @Test
  void valuesThatExecutorsTakeAreFine() throws IOException {
    defaults(SOUND + "spark.temptier.enabled TRUE\n");
    conf.ready();
  }

  @Test
  void theTemplateNamesWhatTheDoctorWants() throws IOException {
    defaults(
        Files.readString(Path.of("../conf-templates/spark-defaults.conf"))
            .replace("/opt/temptier/lib", "LIB")
            .replace("spark.shuffle.service.enabled    true", "")
            .replaceAll("(?m)^#(spark\\.)", "$1"));
    conf.ready().lacks("has no such property");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    String missing = dir.resolve("no.conf").toString();
    conf.doctor("--spark-defaults", missing).misused(missing);
  }
}
