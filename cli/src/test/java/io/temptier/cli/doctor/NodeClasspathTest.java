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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the node has the jars that its configuration names classes of. */
class NodeClasspathTest {
  private static final String LISTENER = "io.temptier.hadoop.NodeManagerTiering";

  @TempDir Path dir;

  private static Run doctor(Conf conf, String... more) {
    String[] args = new String[3 + more.length];
    args[0] = "doctor";
    args[1] = "--conf-dir";
    args[2] = conf.write().toString();
    System.arraycopy(more, 0, args, 3, more.length);
    return Run.of(args);
  }

  private static String flat(Run run) {
    return run.out().replaceAll("\\s+", " ");
  }

  private static void assertVerdict(Run run, String severity, String... words) {
    assertEquals(ExitCodes.FAILED, run.code(), run.out());
    String text = flat(run);
    assertTrue(text.contains(severity + " HADOOP_CLASSPATH"), text);
    for (String word : words) {
      assertTrue(text.contains(word), word + " is missing:\n" + text);
    }
    assertFalse(text.contains("Ready"), text);
  }

  /** A configuration whose local dirs are on this machine, so that it is the node. */
  private Conf here() throws IOException {
    Path fast = Files.createDirectories(dir.resolve("fast"));
    Path slow = Files.createDirectories(dir.resolve("slow"));
    return new Conf(dir)
        .set(Conf.YARN, "yarn.nodemanager.local-dirs", fast + "," + slow)
        .set(Conf.YARN, "temptier.local-dirs", "[DISK]" + fast + ",[DISK]" + slow);
  }

  @Test
  void scriptsThatPutNoJarsOnTheClassPathAreAnError() {
    Conf conf = new Conf(dir).script("# /opt/temptier/lib/*\nexport HADOOP_HEAPSIZE_MAX=1g\n");
    assertVerdict(doctor(conf), "ERROR", "yarn-env.sh", LISTENER, "does not start");
  }

  @Test
  void jarsThatAreNotWhereTheScriptSaysAreAnErrorOnTheNode() throws IOException {
    Conf conf = here();
    assertEquals(ExitCodes.FINE, doctor(conf).code(), doctor(conf).out());
    Files.delete(conf.lib().resolve("temptier.jar"));
    assertVerdict(doctor(conf), "ERROR", LISTENER, "io.temptier.shuffle.TieredShuffleHandler");
    Files.delete(conf.lib());
    assertVerdict(doctor(conf), "ERROR", LISTENER, conf.lib() + "/*");
  }

  @Test
  void jarsThatAnotherMachineMayHaveAreUnknown() throws IOException {
    Conf conf = new Conf(dir).script("HADOOP_CLASSPATH=/t-opt/temptier/lib/*\n");
    assertVerdict(
        doctor(conf), "UNKNOWN", "/t-opt/temptier/lib/*", "on a node", "Not known to be ready");
    conf.script("HADOOP_CLASSPATH=$TEMPTIER_T_HOME/lib/*\n");
    assertVerdict(doctor(conf), "UNKNOWN", "$TEMPTIER_T_HOME/lib/*");
  }

  @Test
  void withoutScriptsTheClassPathIsUnknownUnlessItIsGiven() throws IOException {
    Conf conf = new Conf(dir);
    Files.delete(dir.resolve("yarn-env.sh"));
    assertVerdict(
        doctor(conf), "UNKNOWN", "neither hadoop-env.sh nor yarn-env.sh", "was not asked");
    String jars = conf.lib() + "/*";
    Run given = doctor(conf, "--class-path", "/t-hadoop/*:" + jars);
    assertEquals(ExitCodes.FINE, given.code(), given.out());
    assertVerdict(doctor(conf, "--class-path", "/t-hadoop/*"), "ERROR", "--class-path", LISTENER);
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
        "export HADOOP_HOME=LIB"
      })
  void scriptsAreUnderstood(String script) throws IOException {
    Conf conf = new Conf(dir);
    Path ofHadoop = Files.createDirectories(conf.lib().resolve("share/hadoop/yarn"));
    conf.jar(ofHadoop.resolve("temptier.jar"));
    conf.script(script.replace("LIB", conf.lib().toString()));
    assertEquals(ExitCodes.FINE, doctor(conf).code(), doctor(conf).out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export HADOOP_CLASSPATH=LIB/*\nexport HADOOP_CLASSPATH=/t-other/*",
        "YARN_USER_CLASSPATH=LIB/*",
        "export HADOOP_CLASSPATH=$(ls LIB)",
        "HADOOP_CLASSPATH=LIB",
        "HADOOP_CLASSPATH=\"LIB/*",
        "\\",
        "HADOOP_CLASSPATH=${HADOOP_CLASSPATH:+${HADOOP_CLASSPATH:+"
      })
  void scriptsThatLoseTheJarsAreNotReady(String script) {
    Conf conf = new Conf(dir);
    conf.script(script.replace("LIB", conf.lib() + "/none"));
    assertEquals(ExitCodes.FAILED, doctor(conf).code(), doctor(conf).out());
  }
}
