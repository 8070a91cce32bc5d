// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the node has the jars that its configuration names classes of. */
class NodeClasspathTest {
  private static final String LISTENER = "io.temptier.hadoop.NodeManagerTiering";
  private static final String ERROR = "ERROR HADOOP_CLASSPATH";
  private static final String UNKNOWN = "UNKNOWN HADOOP_CLASSPATH";

  private final Path dir;
  private final Conf conf;

  NodeClasspathTest(@TempDir Path dir) {
    this.dir = dir;
    conf = new Conf(dir);
  }

  @Test
  void scriptsThatPutNoJarsOnTheClassPathAreAnError() {
    conf.script("# /opt/temptier/lib/*\nexport HADOOP_HEAPSIZE_MAX=1g\n");
    conf.says(ERROR, "yarn-env.sh", LISTENER, "does not start");
  }

  @Test
  void jarsThatAreNotWhereTheScriptSaysAreAnErrorOnTheNode() throws IOException {
    conf.here().ready();
    Files.delete(conf.lib().resolve("temptier.jar"));
    conf.says(ERROR, LISTENER, "io.temptier.shuffle.TieredShuffleHandler");
    Files.delete(conf.lib());
    conf.says(ERROR, LISTENER, conf.lib() + "/*");
  }

  @Test
  void jarsThatAnotherMachineMayHaveAreUnknown() {
    conf.script("HADOOP_CLASSPATH=/t-opt/temptier/lib/*\n");
    conf.says(UNKNOWN, "/t-opt/temptier/lib/*", "on a node");
    assertTrue(conf.doctor().out().startsWith("Not known to be ready"));
    conf.script("HADOOP_CLASSPATH=$TEMPTIER_T_HOME/lib/*\n");
    conf.says(UNKNOWN, "$TEMPTIER_T_HOME/lib/*");
  }

  @Test
  void withoutScriptsTheClassPathIsUnknownUnlessItIsGiven() throws IOException {
    Files.delete(dir.resolve("yarn-env.sh"));
    conf.says(UNKNOWN, "neither hadoop-env.sh nor yarn-env.sh", "was not asked");
    conf.ready("--class-path", "/t-hadoop/*:" + conf.lib() + "/*");
    conf.doctor("--class-path", "/t-hadoop/*").failed().says("(--class-path)", LISTENER);
  }

  /** What does not fit is told by JarCheck; here of which jars it is asked. */
  @Test
  void jarsThatDoNotFitHadoopAreAnError() {
    Path hadoop = dir.resolve("hadoop");
    conf.script(
        "export HADOOP_HOME=" + hadoop + "\nexport HADOOP_CLASSPATH=" + conf.lib() + "/*\n");
    hadoop(hadoop, "4.0.0");
    conf.says(ERROR, "Hadoop 4.0.0 is not known", "behaves as stock");
    hadoop(hadoop, "3.2.4");
    conf.says(ERROR, "needs Hadoop 3.3 to 3.5", "Hadoop's own shuffle handler serves");
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
    conf.script(script.replace("LIB", conf.lib().toString())).ready();
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
    conf.script(script.replace("LIB", conf.lib() + "/none")).doctor().failed();
  }
}
