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

  private Path java(String version) throws IOException {
    Path home = dir.resolve("java-" + version);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("bin/java"), "#!/bin/false\n");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  /** Spark 4 needs Java 17, which neither Hadoop nor TempTier does. */
  @Test
  void aJavaTooOldForSpark4IsAnError() throws IOException {
    String archive = "\nspark.yarn.archive hdfs:///spark/spark-4.0.1-libs.zip";
    String java = "\nspark.executorEnv.JAVA_HOME ";
    Run run = doctor(sound() + archive + java + java("1.8.0_392"));
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.contains("ERROR spark.executorEnv.JAVA_HOME"), text);
    assertTrue(text.contains("It is Java 8, and executors of Spark 4 need 17."), text);
    assertEquals(ExitCodes.FINE, doctor(sound() + archive + java + java("17.0.9")).code());
    String spark3 = archive.replace("4.0.1", "3.5.5");
    assertEquals(ExitCodes.FINE, doctor(sound() + spark3 + java + java("1.8.0_392")).code());
  }

  @Test
  void theNodeManagersJavaMayBeTooOldForSpark4() throws IOException {
    Path conf = Files.createDirectories(dir.resolve("spark/conf"));
    Files.writeString(dir.resolve("spark/RELEASE"), "Spark 4.1.1 built for Hadoop 3.4.2\n");
    Path defaults = Files.writeString(conf.resolve("spark-defaults.conf"), sound());
    Files.writeString(dir.resolve("hadoop-env.sh"), "export JAVA_HOME=" + java("11.0.13") + "\n");
    String folder = conf().write().toString();
    Run run = Run.of("doctor", "--conf-dir", folder, "--spark-defaults", defaults.toString());
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    String text = run.out().replaceAll("\\s+", " ");
    assertTrue(text.contains("ERROR JAVA_HOME"), text);
    assertTrue(text.contains("It is Java 11, and executors of Spark 4 need 17."), text);
    assertTrue(text.contains("Set spark.executorEnv.JAVA_HOME and"), text);
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
  void dirsThatHaveNoEffectOnYarnAreNamed() throws IOException {
    Run run = doctor(sound() + "\nspark.local.dir /nvme0/spark\n");
    assertTrue(run.out().replaceAll("\\s+", " ").contains("no effect on them"), run.out());
  }

  @Test
  void dirsThatAreNotInTheLayoutAreNamed() throws IOException {
    String standalone =
        sound().replace("master yarn", "master spark://m:7077")
            + "spark.local.dir /nvme0/spark, /hdd7/spark\n"
            + "spark.temptier.local-dirs [NVME]/nvme0/spark,[DISK]/hdd0/spark\n";
    Run run = doctor(standalone);
    String out = run.out().replaceAll("\\s+", " ");
    assertTrue(out.contains("spark.temptier.local-dirs has no /hdd7/spark"), run.out());
    assertFalse(out.contains("has no /nvme0/spark"), run.out());
    Run wrong = doctor(standalone.replace("[NVME]", "[NVMW]"));
    assertEquals(ExitCodes.FAILED, wrong.code(), wrong.out());
  }

  @Test
  void aServiceOfAnOlderSparkIsAnError() throws IOException {
    String defaults = sound() + "spark.shuffle.service.enabled true\n";
    assertTrue(service(defaults, "2.4.8").contains("cannot fetch from it"));
    assertFalse(service(defaults, "3.5.5").contains("cannot fetch from it"));
    String old = defaults + "spark.shuffle.useOldFetchProtocol true\n";
    assertFalse(service(old, "2.4.8").contains("cannot fetch from it"));
  }

  private String service(String defaults, String version) throws IOException {
    Conf conf =
        conf()
            .set(Conf.YARN, "yarn.nodemanager.aux-services", "mapreduce_shuffle,spark_shuffle")
            .set(
                Conf.YARN,
                "yarn.nodemanager.aux-services.spark_shuffle.classpath",
                "/opt/spark/yarn/spark-" + version + "-yarn-shuffle.jar");
    return doctor(conf, defaults).out().replaceAll("\\s+", " ");
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
