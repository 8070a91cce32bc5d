// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkChecksTest {
  private static final String PLUGIN = "io.temptier.spark.TierPlugin";

  @TempDir Path dir;

  private Conf conf;
  private String sound = "";

  @BeforeEach
  void conf() {
    conf = new Conf(dir);
    conf.jar(conf.lib().resolve("plugin.jar"), PLUGIN, "io.temptier.tier.placer.Placer");
    sound =
        """
        spark.plugins %s
        spark.executor.extraClassPath LIB/*
        spark.driver.extraClassPath LIB/*
        """
            .formatted(PLUGIN);
  }

  private void defaults(String text) throws IOException {
    String lib = conf.lib().toString();
    Files.writeString(dir.resolve("spark-defaults.conf"), text.replace("LIB", lib));
  }

  @Test
  void aSoundConfigurationIsReady() throws IOException {
    assertFalse(conf.ready().contains("Spark: "), "there is no such file");
    defaults(sound);
    String said = conf.ready();
    assertTrue(said.contains("spark-defaults.conf") && said.contains("Spark: ok"), said);
  }

  @Test
  void aPluginThatIsMisspeltIsAnError() throws IOException {
    defaults(sound.replace(PLUGIN, PLUGIN + "s"));
    conf.says("ERROR spark.plugins", PLUGIN + "s does not exist", "The class is " + PLUGIN);
  }

  @Test
  void aPluginWithoutItsJarIsAnError() throws IOException {
    defaults(sound.replace("LIB", Files.createDirectories(dir.resolve("empty")).toString()));
    conf.says("ERROR spark.executor.extraClassPath", PLUGIN);
    defaults("spark.plugins " + PLUGIN);
    conf.says("UNKNOWN spark.driver.extraClassPath", "It has nothing of TempTier");
    conf.says("UNKNOWN spark.executor.extraClassPath", "It has nothing of TempTier");
    Path named = conf.lib().resolveSibling("temptier");
    Files.move(conf.lib(), named);
    conf.script("export HADOOP_CLASSPATH=" + named + "/*\n");
    conf.set(Conf.YARN, "yarn.nodemanager.admin-env.CLASSPATH", ".:" + named + "/*");
    assertFalse(conf.doctor().out().contains("spark.executor.extraClassPath"));
  }

  @Test
  void jarsWithoutThePluginAreAWarning() throws IOException {
    defaults(sound.replace(PLUGIN, ""));
    conf.says("WARNING spark.plugins", "Spark chooses among the local dirs itself");
  }

  @Test
  void aServiceThatNodeManagersDoNotHaveIsAnError() throws IOException {
    defaults(sound + "spark.shuffle.service.enabled true\n");
    conf.says("ERROR spark.shuffle.service", "NodeManagers have no service spark_shuffle");
  }

  @Test
  void aPropertyThatIsMisspeltIsNamed() throws IOException {
    defaults(sound + "spark.temptier.demotions false\n");
    conf.says("WARNING spark.temptier.demotions", "Did you mean spark.temptier.demotion?");
  }

  @ParameterizedTest
  @CsvSource({
    "enabled, yes, It is not true or false",
    "driver, 1, It is not true or false",
    "demotion, on, It is not true or false",
    "homes, quick, It is not stay or fast",
    "local-dirs, [NVM]/x, Did you mean NVME?"
  })
  void aValueThatExecutorsDoNotTakeIsAnError(String key, String value, String said)
      throws IOException {
    defaults(sound + "spark.temptier." + key + " " + value + "\n");
    conf.says("ERROR spark.temptier." + key + " = " + value, said);
  }

  @Test
  void valuesThatExecutorsTakeAreFine() throws IOException {
    defaults(sound + "spark.temptier.enabled TRUE\nspark.temptier.homes fast\n");
    conf.ready();
  }

  @Test
  void theTemplateNamesWhatTheDoctorWants() throws IOException {
    defaults(
        Files.readString(Path.of("../conf-templates/spark-defaults.conf"))
            .replace("/opt/temptier/lib", "LIB")
            .replace("spark.shuffle.service.enabled    true", "")
            .replaceAll("(?m)^#(spark\\.)", "$1"));
    assertFalse(conf.ready().contains("has no such property"));
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    String missing = dir.resolve("no.conf").toString();
    conf.doctor("--spark-defaults", missing).misused(missing);
  }
}
