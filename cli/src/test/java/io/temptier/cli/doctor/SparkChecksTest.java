// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkChecksTest {
  private static final String PLUGIN = "io.temptier.spark.TierPlugin";

  @TempDir Path dir;

  @Test
  void aSoundConfigurationIsReady() throws IOException {
    Run run = doctor(sound());
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertTrue(run.out().contains("spark-defaults.conf"), run.out());
  }

  @Test
  void withoutTheFileNothingIsSaid() throws IOException {
    Run run = Run.of("doctor", "--conf-dir", conf().write().toString());
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertFalse(run.out().contains("Spark\n"), run.out());
  }

  @Test
  void aPluginThatIsMisspeltIsAnError() throws IOException {
    Run run = doctor(sound().replace(PLUGIN, "io.temptier.spark.TierPlugins"));
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    assertTrue(run.out().contains("io.temptier.spark.TierPlugins does not exist"), run.out());
    assertTrue(run.out().contains("The class is " + PLUGIN), run.out());
  }

  @Test
  void aPluginWithoutItsJarIsAnError() throws IOException {
    Path empty = Files.createDirectories(dir.resolve("empty"));
    Run run = doctor(sound().replace(lib() + "/*", empty + "/*"));
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    assertTrue(run.out().contains("spark.executor.extraClassPath"), run.out());
    assertTrue(run.out().contains(PLUGIN), run.out());
  }

  @Test
  void jarsWithoutThePluginAreAWarning() throws IOException {
    String lines =
        Stream.of(sound().split("\n"))
            .filter(line -> !line.contains(PLUGIN))
            .collect(Collectors.joining("\n"));
    Run run = doctor(lines);
    assertTrue(run.out().contains("Spark chooses among the local dirs itself"), run.out());
  }

  @Test
  void aServiceThatNodeManagersDoNotHaveIsAnError() throws IOException {
    Run run = doctor(sound() + "\nspark.shuffle.service.enabled true\n");
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    assertTrue(run.out().contains("NodeManagers have no service spark_shuffle"), run.out());
  }

  @Test
  void aPropertyThatIsMisspeltIsNamed() throws IOException {
    Run run = doctor(sound() + "\nspark.temptier.demotions false\n");
    assertTrue(run.out().contains("Did you mean spark.temptier.demotion?"), run.out());
  }

  @Test
  void theTemplateNamesWhatTheDoctorWants() throws IOException {
    Path template = Path.of("../conf-templates/spark-defaults.conf");
    String text =
        Files.readString(template)
            .replace("/opt/temptier/lib", lib().toString())
            .replace("spark.shuffle.service.enabled    true", "");
    Run run = doctor(text.replaceAll("(?m)^#(spark\\.)", "$1"));
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertFalse(run.out().contains("has no such property"), run.out());
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws IOException {
    String missing = dir.resolve("no.conf").toString();
    Run run =
        Run.of("doctor", "--conf-dir", conf().write().toString(), "--spark-defaults", missing);
    assertEquals(ExitCodes.WRONG_USE, run.code(), run.out());
    assertTrue(run.err().contains(missing), run.err());
  }

  private String sound() {
    return "spark.master yarn\nspark.plugins "
        + PLUGIN
        + "\nspark.executor.extraClassPath "
        + lib()
        + "/*\nspark.driver.extraClassPath "
        + lib()
        + "/*\n";
  }

  private Path lib() {
    return dir.resolve("lib");
  }

  private Conf conf() {
    return new Conf(dir).jar(lib().resolve("plugin.jar"), PLUGIN, "io.temptier.tier.placer.Placer");
  }

  private Run doctor(String defaults) throws IOException {
    return doctor(conf(), defaults);
  }

  private static Run doctor(Conf conf, String defaults) throws IOException {
    Path folder = conf.write();
    Files.writeString(folder.resolve("spark-defaults.conf"), defaults);
    return Run.of("doctor", "--conf-dir", folder.toString());
  }
}
