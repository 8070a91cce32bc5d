// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.SiteFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of bad input, as the operator sees it. */
class BadInputTest {
  private static final String LISTENER =
      "yarn.nodemanager.container-state-transition-listener.classes";
  private static final String PLUGIN = "io.temptier.hadoop.NodeManagerTiering";
  private static final String CONTAINERS = "yarn.nodemanager.admin-env.CLASSPATH";
  private static final String HANDLER = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";

  private final Path dir;
  private final Conf conf;

  BadInputTest(@TempDir Path dir) {
    this.dir = dir;
    conf = new Conf(dir);
  }

  @ParameterizedTest(name = "{1}={2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          yarn|temptier.reserve|5%|ERROR|yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage
          yarn|temptier_enabled|false|ERROR|temptier.enabled
          yarn|yarn.nodemanager.container-state-transition-listener.classes|com.example.Audit;io.temptier.hadoop.NodeManagerTiering|ERROR|<value>com.example.Audit,io.temptier.hadoop.NodeManagerTiering</value>
          mapred|temptier.reserve|20%|WARNING|do not read mapred-site.xml
          tez|temptier.reserve|20%|WARNING|do not read tez-site.xml
          yarn|temptier.reserve|${env.T_NONE:-20%}|WARNING|It was taken for 20%
          yarn|yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage|90%|ERROR|no number
          yarn|yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb|1g|ERROR|no number
          yarn|yarn.nodemanager.container-state-transition-listener.classes|io.temptier.hadoop.NodeManagerTiering,io.temptier.hadoop.node.NodeTiering|ERROR|<value>io.temptier.hadoop.NodeManagerTiering</value>
          yarn|yarn.nodemanager.container-state-transition-listener.classes|io.temptier.hadoop.node.NodeTiering|ERROR|will not start
          yarn|yarn.nodemanager.container-state-transition-listener.classes|com.example.Audit|ERROR|<value>com.example.Audit,io.temptier.hadoop.NodeManagerTiering</value>
          yarn|yarn.nodemanager.aux-services.mapreduce_shuffle.class|io.temptier.shuffle.TierdShuffleHandler|ERROR|does not exist
          yarn|yarn.nodemanager.aux-services.mapreduce_shuffle.classpath|/opt/temptier/lib/*|WARNING|nothing is demoted
          yarn|yarn.nodemanager.aux-services.mapreduce_shuffle.remote-classpath|/opt/temptier/lib/*|WARNING|nothing is demoted
          core|fs.s3a.buffer.dir|/t-tmp/s3a|WARNING|outside all local
          core|fs.s3a.buffer.dir|file:///t-hdd0/yarn/s3a|WARNING|is on DISK, in the local dir /t-hdd0/yarn but in no container
          core|fs.s3a.buffer.dir|/dev/shm/s3a|INFO|outside all local dirs, on RAM_DISK: what a killed
          core|fs.s3a.buffer.dir|tmp/s3a|WARNING|<value>${env.LOCAL_DIRS:-${hadoop.tmp.dir}}/s3a</value>
          core|fs.s3a.buffer.dir|tmp/s3a|WARNING|is not absolute
          """)
  void aValueIsToldWithItsPlace(
      String file, String key, String value, String severity, String word) {
    String site = file + "-site.xml";
    conf.set(site, key, value).says(severity + " " + key, "(" + site + ", line ", word);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          yarn.nodemanager.admin-env.CLASSPATH|ERROR|(not set)|stock Hadoop places what they write|/opt/temptier/lib/*
          yarn.nodemanager.aux-services|ERROR||alone loads nothing|<value>mapreduce_shuffle</value>
          yarn.nodemanager.aux-services.mapreduce_shuffle.class|WARNING|(default, yarn-default.xml)|slow disks stall it|<value>io.temptier.shuffle.TieredShuffleHandler</value>
          """)
  void whatIsNotSetIsTold(String key, String severity, String place, String word, String remedy) {
    conf.unset(Conf.YARN, key).says(severity + " " + key, place == null ? "" : place, word, remedy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"array", " ByteBuffer "})
  void uploadBuffersInMemoryLieNowhere(String buffer) {
    conf.set(Conf.CORE, "fs.s3a.fast.upload.buffer", buffer);
    conf.set(Conf.CORE, "fs.s3a.buffer.dir", "tmp/s3a").ready().lacks("absolute");
  }

  /** As on a cluster that runs Spark alone. */
  @Test
  void aNodeWithoutShuffleServiceIsWarned() {
    conf.unset(Conf.YARN, "yarn.nodemanager.aux-services").unset(Conf.YARN, HANDLER);
    conf.says("WARNING yarn.nodemanager.aux-services", "cannot fetch");
  }

  @Test
  void variablesThatReferToOneAnotherAreAnError() {
    conf.set(Conf.YARN, "a", "${b}").set(Conf.YARN, "b", "${a}");
    conf.set(Conf.YARN, "yarn.nodemanager.local-dirs", "${a}");
    conf.says("ERROR yarn.nodemanager.local-dirs (yarn-site.xml, line ", "It cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:///"})
  void twoDirsOnOneDeviceAndACapOverTheDisk(String scheme) throws IOException {
    Path fast = Files.createDirectory(dir.resolve("fast"));
    Path slow = Files.createDirectory(dir.resolve("slow"));
    conf.set(Conf.YARN, "yarn.nodemanager.local-dirs", scheme + fast + "," + scheme + slow);
    conf.set(Conf.YARN, "temptier.local-dirs", "[DISK:8000t]" + fast + ",[DISK]" + slow);
    conf.says("WARNING temptier.local-dirs", "(yarn-site.xml, line ", "one file system");
    conf.says("WARNING temptier.local-dirs", "(yarn-site.xml, line ", "over the size");
  }

  @ParameterizedTest
  @CsvSource({
    "mapred-site.xml, classes, NodeManagers do not read it",
    "yarn-site.xml, class, 'Is yarn.nodemanager.container-state-transition-listener.class meant'"
  })
  void aListenerInTheWrongFileOrPropertyIsGuessed(String file, String last, String said) {
    String key = LISTENER.replace("classes", last);
    conf.unset(Conf.YARN, LISTENER).set(file, key, "io.temptier.hadoop.NodeManagerTiering");
    conf.says("ERROR " + LISTENER, "(not set)", said);
  }

  @Test
  void classesOfOthersAreKept() {
    String both = "com.example.Audit, io.temptier.hadoop.NodeManagerTiering";
    conf.set(Conf.YARN, LISTENER, both).set(Conf.YARN, HANDLER, "com.example.Shuffle");
    conf.jar(conf.lib().resolve("shuffle.jar"), "com.example.Shuffle");
    conf.ready().lacks(LISTENER, HANDLER);
  }

  @Test
  void aFolderWithoutTheJarsIsTold() throws IOException {
    Path empty = Files.createDirectories(dir.resolve("temptier-empty"));
    conf.set(Conf.YARN, CONTAINERS, empty + "/*");
    conf.says("ERROR " + CONTAINERS, "(yarn-site.xml, line ", "It does not hold io.temptier");
  }

  @Test
  void twoVersionsOnOnePathAreAnError() {
    conf.jar(conf.lib().resolve("temptier-tiered-localdirs-0.0.9.jar"));
    conf.says(
        "ERROR " + CONTAINERS, "(yarn-site.xml, line ", "temptier-tiered-localdirs-0.0.9.jar");
  }

  @ParameterizedTest
  @CsvSource({
    "mapred-site.xml, mapreduce.application.classpath",
    "tez-site.xml, tez.cluster.additional.classpath.prefix"
  })
  void aFrameworksOwnClassPathWillDo(String file, String key) {
    conf.unset(Conf.YARN, CONTAINERS).set(file, key, conf.lib() + "/*");
    conf.ready().lacks("stock Hadoop places");
  }

  /** As in a checkout: a folder far above is named after the project. */
  @Test
  void oneClassPathWithTheJarsIsEnough() throws IOException {
    Path other = Files.createDirectories(dir.resolve("temptier-src/a/b/c/d/lib"));
    conf.set(Conf.MAPRED, "mapreduce.application.classpath", other + "/*," + other + "/x.jar");
    conf.set(Conf.YARN, "yarn.application.classpath", dir.resolve("temptier-0.1/lib") + "/*");
    conf.ready();
    conf.unset(Conf.YARN, CONTAINERS);
    conf.says("UNKNOWN yarn.application.classpath", "whether it holds io.temptier");
    conf.doctor().lacks("mapreduce.application.classpath");
  }

  @Test
  void clustersThatRunSparkAloneAreWarned() throws IOException {
    conf.unset(Conf.YARN, CONTAINERS);
    spark("spark.plugins " + SPARK_PLUGIN + "\nspark.executor.extraClassPath LIB/*\n");
    conf.doctor().says("WARNING yarn.nodemanager.admin-env.CLASSPATH");
  }

  @Test
  void jarsAmongHadoopsOwnAreFound() throws IOException {
    Path lib = Files.createDirectories(dir.resolve("hadoop/lib"));
    String without = "Tasks go on without TempTier";
    conf.unset(Conf.YARN, CONTAINERS);
    conf.set(Conf.MAPRED, "mapreduce.application.classpath", lib + "/*");
    conf.says("ERROR " + CONTAINERS, without);
    Path jar = Files.createFile(lib.resolve("temptier-shuffle-tier-0.1.0.jar"));
    // An empty file is no jar.
    conf.doctor().says(without);
    conf.jar(jar);
    conf.doctor().lacks(without);
  }

  @Test
  void finalAndRepeatedPropertiesAreTold() {
    conf.add(
        Conf.CORE,
        "<property><name>temptier.reserve</name><value>25%</value><final>true</final></property>");
    conf.set(Conf.YARN, "temptier.reserve", "20%");
    conf.add(Conf.YARN, SiteFiles.property("temptier.unknown-size", "50m"));
    conf.add(Conf.YARN, SiteFiles.property("temptier.unknown-size", "60m"));
    conf.add(Conf.YARN, "<property><name>temptier.large-size</name></property>");
    String line = "(yarn-site.xml, line ";
    conf.says("WARNING temptier.reserve = 20%", line, "25%, and is final");
    conf.says("WARNING temptier.unknown-size = 50m", line, "says 60m");
    conf.says("WARNING temptier.large-size", line, "no <value>");
  }

  @Test
  void warningsThatAreAcceptedAreRemarks() {
    conf.unset(Conf.YARN, HANDLER).set(Conf.YARN, "temptier.zzz", "1");
    conf.ready().says("with 2 warnings");
    conf.set(Conf.YARN, "temptier.accept", HANDLER + ",temptier.zzz");
    conf.ready().lacks("warning");
  }

  @Test
  void switchedOffIsSaidAndIsToBeStock() {
    conf.set(Conf.YARN, "temptier.enabled", "false");
    conf.unset(Conf.YARN, LISTENER).unset(Conf.YARN, HANDLER);
    conf.ready().says("switched off").lacks(HANDLER);
  }

  private static final String FAST = "/t-nvme0/yarn/.temptier:/t-nvme0/yarn/.temptier";
  private static final String SLOW = "/t-hdd0/yarn/.temptier:/t-hdd0/yarn/.temptier";
  private static final String CLAIMS =
      "/t-nvme0/yarn/.temptier/claims:/t-nvme0/yarn/.temptier/claims,"
          + "/t-hdd0/yarn/.temptier/claims:/t-hdd0/yarn/.temptier/claims";

  private Conf allowing(String runtimes) {
    return conf.set(Conf.YARN, "yarn.nodemanager.runtime.linux.allowed-runtimes", runtimes);
  }

  private static String key(String runtime, String mode) {
    return "yarn.nodemanager.runtime.linux." + runtime + ".default-" + mode + "-mounts";
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker", "runc"})
  void whatIsMissingIsSaidAsItIsToBePasted(String runtime) {
    String reading = key(runtime, "ro");
    String writing = key(runtime, "rw");
    String mended = "/x:/y," + FAST + "," + SLOW;
    allowing("default, " + runtime).set(Conf.YARN, reading, "/x:/y");
    conf.says(
        "WARNING " + reading, Troubles.property(reading, mended), runtime + ".allowed.ro-mounts");
    conf.says(
        "WARNING " + writing, Troubles.property(writing, CLAIMS), runtime + ".allowed.rw-mounts");
    conf.set(Conf.YARN, reading, mended).set(Conf.YARN, writing, CLAIMS);
    conf.ready().lacks(runtime);
  }

  @Test
  void aMountAboveIsEnoughAndOneElsewhereIsNot() {
    allowing("docker").set(Conf.YARN, key("docker", "rw"), "/t-nvme0:/t-nvme0");
    conf.set(Conf.YARN, key("docker", "ro"), "/t-hdd0/yarn/.temptier:/temptier");
    conf.ready().says(SLOW).lacks("/t-nvme0/yarn/.temptier");
  }

  /** Hadoop starts no container with a default mount of three parts. */
  @Test
  void aMountWithAModeIsReplaced() {
    String reading = key("docker", "ro");
    allowing("docker")
        .set(Conf.YARN, reading, FAST + ":ro," + SLOW)
        .says("WARNING " + reading, Troubles.property(reading, SLOW + "," + FAST));
  }

  @Test
  void withoutSuchContainersNothingIsToBeMounted() {
    allowing("default,javasandbox").ready().lacks("-mounts");
  }

  @Test
  void scriptsThatPutNoJarsOnTheClassPathAreAnError() {
    conf.script("# /opt/temptier/lib/*\nexport HADOOP_HEAPSIZE_MAX=1g\n");
    conf.says("ERROR HADOOP_CLASSPATH", "yarn-env.sh", PLUGIN, "does not start");
  }

  @Test
  void jarsThatAreNotWhereTheScriptSaysAreAnErrorOnTheNode() throws IOException {
    conf.here().ready();
    Files.delete(conf.lib().resolve("temptier.jar"));
    conf.says("ERROR HADOOP_CLASSPATH", PLUGIN, "io.temptier.shuffle.TieredShuffleHandler");
    Files.delete(conf.lib());
    conf.says("ERROR HADOOP_CLASSPATH", PLUGIN, conf.lib() + "/*");
  }

  @Test
  void jarsThatAnotherMachineMayHaveAreUnknown() {
    conf.script("HADOOP_CLASSPATH=/t-opt/temptier/lib/*\n");
    conf.says("UNKNOWN HADOOP_CLASSPATH", "/t-opt/temptier/lib/*", "on a node");
    assertTrue(conf.doctor().out().startsWith("Not known to be ready"));
    conf.script("HADOOP_CLASSPATH=$TEMPTIER_T_HOME/lib/*\n");
    conf.says("UNKNOWN HADOOP_CLASSPATH", "$TEMPTIER_T_HOME/lib/*");
  }

  @Test
  void withoutScriptsTheClassPathIsUnknownUnlessItIsGiven() throws IOException {
    Files.delete(dir.resolve("yarn-env.sh"));
    conf.says("UNKNOWN HADOOP_CLASSPATH", "neither hadoop-env.sh nor yarn-env.sh", "was not asked");
    conf.ready("--class-path", "/t-hadoop/*:" + conf.lib() + "/*");
    conf.doctor("--class-path", "/t-hadoop/*").failed().says("(--class-path)", PLUGIN);
  }

  /** What does not fit is told by JarCheck; here of which jars it is asked. */
  @Test
  void jarsThatDoNotFitHadoopAreAnError() {
    Path hadoop = dir.resolve("hadoop");
    conf.script("export HADOOP_HOME=" + hadoop + "\nexport HADOOP_CLASSPATH=LIB/*\n");
    hadoop(hadoop, "4.0.0");
    conf.says("ERROR HADOOP_CLASSPATH", "Hadoop 4.0.0 is not known", "behaves as stock");
    hadoop(hadoop, "3.2.4");
    conf.says(
        "ERROR HADOOP_CLASSPATH", "needs Hadoop 3.3 to 3.5", "Hadoop's own shuffle handler serves");
    conf.unset(Conf.YARN, NodeManagerChecks.PluginClass.SHUFFLE.key).ready();
  }

  private void hadoop(Path home, String version) {
    conf.jar(
        home.resolve("share/hadoop/common/hadoop-common.jar"),
        "org.apache.hadoop.conf.Configuration",
        "common-version-info.properties",
        version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export HADOOP_CLASSPATH=LIB/*",
        "HADOOP_CLASSPATH='LIB/*'  # ours",
        "export HADOOP_CLASSPATH=\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}LIB/*\"",
        "HOME_OF_IT=LIB\nexport HADOOP_CLASSPATH=${HADOOP_CLASSPATH}:$HOME_OF_IT/*",
        "export HADOOP_CLASSPATH=/x/*\nHADOOP_CLASSPATH+=:LIB/*",
        "if [ -d LIB ]; then export HADOOP_CLASSPATH=LIB/*; fi",
        "[ -d LIB ] && export HADOOP_CLASSPATH=\\\n\"LIB/*\"",
        "export HADOOP_CLASSPATH=${T_UNSET:-LIB}/temptier.jar",
        "hadoop_add_classpath \"LIB/*\"",
        "export YARN_LOG_DIR=/x HADOOP_CLASSPATH=LIB/*",
        "export HADOOP_HOME=LIB"
      })
  void scriptsAreUnderstood(String script) throws IOException {
    Path ofHadoop = Files.createDirectories(conf.lib().resolve("share/hadoop/yarn"));
    conf.jar(ofHadoop.resolve("temptier.jar"));
    conf.script(script).ready();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export HADOOP_CLASSPATH=LIB/*\nexport HADOOP_CLASSPATH=/t-other/*",
        "YARN_USER_CLASSPATH=LIB/*",
        "export HADOOP_CLASSPATH=$(ls LIB)",
        "HADOOP_CLASSPATH=LIB",
        "HADOOP_CLASSPATH=\"LIB/*",
        "export HADOOP_CLASSPATH=\"LIB/../*\"\r\nexport A=1\r",
        "\\",
        "HADOOP_CLASSPATH=${HADOOP_CLASSPATH:+${HADOOP_CLASSPATH:+"
      })
  void scriptsThatLoseTheJarsAreNotReady(String script) {
    conf.script(script.replace("LIB", "LIB/none")).doctor().failed();
  }

  private static final String SPARK_PLUGIN = "io.temptier.spark.TierPlugin";

  private static final String SOUND_SPARK =
      """
      spark.plugins %s
      spark.executor.extraClassPath LIB/*
      spark.driver.extraClassPath LIB/*
      """
          .formatted(SPARK_PLUGIN);

  private void spark(String text) throws IOException {
    conf.jar(conf.lib().resolve("plugin.jar"), SPARK_PLUGIN, "io.temptier.tier.placer.Placer");
    String lib = conf.lib().toString();
    Files.writeString(dir.resolve("spark-defaults.conf"), text.replace("LIB", lib));
  }

  @Test
  void aSoundConfigurationOfSparkIsReady() throws IOException {
    // There is no such file.
    conf.ready().lacks("Spark: ");
    spark(SOUND_SPARK);
    conf.ready().says("spark-defaults.conf", "Spark: ok");
  }

  @Test
  void aPluginOfSparkWithoutItsJarIsAnError() throws IOException {
    spark(SOUND_SPARK.replace("LIB", Files.createDirectories(dir.resolve("empty")).toString()));
    conf.says("ERROR spark.executor.extraClassPath", SPARK_PLUGIN);
    spark("spark.plugins " + SPARK_PLUGIN);
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
    spark(SOUND_SPARK);
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
  void aPropertyOfSparkIsToldWithItsValue(String key, String value, String severity, String said)
      throws IOException {
    String given = value.replace("PLUGIN", SPARK_PLUGIN);
    spark(SOUND_SPARK + "spark." + key + " " + given + "\n");
    String head = severity + " spark." + key + (given.isEmpty() ? "" : " = " + given);
    conf.says(head, said.replace("PLUGIN", SPARK_PLUGIN).split("; ", -1));
  }

  @Test
  void valuesThatExecutorsTakeAreFine() throws IOException {
    spark(SOUND_SPARK + "spark.temptier.enabled TRUE\n");
    conf.ready();
  }

  @Test
  void theTemplateOfSparkNamesWhatTheDoctorWants() throws IOException {
    spark(
        Files.readString(Path.of("../conf-templates/spark-defaults.conf"))
            .replace("/opt/temptier/lib", "LIB")
            .replace("spark.shuffle.service.enabled    true", "")
            .replaceAll("(?m)^#(spark\\.)", "$1"));
    conf.ready().lacks("has no such property");
  }

  @Test
  void aFileOfSparkThatIsNotThereIsNamed() {
    String missing = dir.resolve("no.conf").toString();
    conf.doctor("--spark-defaults", missing).misused(missing);
  }
}
