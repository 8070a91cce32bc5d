// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.tier.os.MountPin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps a node from being ready, seen on the node itself: its local dirs are here. */
class NotReadyTest {
  private static final String LOCAL_DIRS = "yarn.nodemanager.local-dirs";
  private static final String ADMIN_ENV = "yarn.nodemanager.admin-env";

  private final Path dir;
  private final Path fast;
  private final Path slow;
  private final Conf conf;

  NotReadyTest(@TempDir Path dir) throws IOException {
    this.dir = dir;
    fast = dir.resolve("fast/yarn");
    slow = dir.resolve("slow/yarn");
    conf = new Conf(dir).here();
    conf.ready();
  }

  private void tags(String ofFast, String ofSlow) {
    conf.set(Conf.YARN, "temptier.local-dirs", ofFast + fast + "," + ofSlow + slow);
  }

  @Test
  void aFastDirThatIsNotThereOrSomethingElseIsAnError() throws IOException {
    String head = "ERROR " + LOCAL_DIRS + " = " + fast;
    Files.delete(fast);
    Files.createSymbolicLink(fast, dir.resolve("nowhere"));
    conf.says(head, "not there", "Mount its disk");
    Files.delete(fast);
    Files.createFile(fast);
    conf.says(head, "It is no folder", "YARN drops the dir");
    conf.doctor().lacks("not there");
    Files.delete(fast);
    Files.delete(dir.resolve("fast"));
    conf.says(head, "(yarn-site.xml, line ", "not there", "Mount its disk");
  }

  /** As a NodeManager does, which counts it to the slowest tier. */
  @Test
  void aDirThatUsersMayNotEnterIsAnError() throws IOException {
    conf.set(
        Conf.YARN,
        "yarn.nodemanager.container-executor.class",
        "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor");
    Files.setPosixFilePermissions(fast, PosixFilePermissions.fromString("rwx------"));
    conf.says(
        "ERROR temptier.local-dirs = [NVME]" + fast, "may enter " + fast, "It counts as DISK");
    conf.set(Conf.YARN, "temptier.accept", fast + "," + slow);
    conf.ready();
  }

  @Test
  void aDirOnTheRootFileSystemBesideAMountIsAnError() throws IOException {
    Path root = Files.createTempDirectory(Path.of("/var/tmp"), "doctor");
    try {
      assumeTrue(MountPin.of(root).orElseThrow().mountPoint().equals(Path.of("/")));
      conf.set(Conf.YARN, LOCAL_DIRS, "/proc/doctor," + root);
      conf.set(Conf.YARN, "temptier.local-dirs", "[DISK]/proc/doctor,[NVME]" + root);
      conf.says("ERROR temptier.local-dirs = [NVME]" + root, "is its disk not mounted");
      conf.set(Conf.YARN, "temptier.accept", root.toString());
      conf.doctor().lacks("is its disk not mounted");
    } finally {
      Files.delete(root);
    }
  }

  @Test
  void aDirBesideAnotherOfItsMountIsYarnsToMake() throws IOException {
    Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "doctor");
    try {
      String dirs = memory + "," + memory + "/later";
      conf.set(Conf.YARN, LOCAL_DIRS, dirs + "," + slow);
      conf.set(
          Conf.YARN,
          "temptier.local-dirs",
          "[RAM_DISK:1g]" + dirs.replace(",", ",[RAM_DISK:1g]") + ",[DISK]" + slow);
      conf.doctor().lacks("Mount its disk").lacks("It is not there");
    } finally {
      Files.delete(memory);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r-xr-xr-x", "rw-r--r--"})
  void aDirThatNobodyMayWriteToIsAnError(String mode) throws IOException {
    Files.setPosixFilePermissions(fast, PosixFilePermissions.fromString(mode));
    try {
      conf.says("ERROR " + LOCAL_DIRS + " = " + fast, "mode " + mode, "YARN drops the dir", "755");
    } finally {
      Files.setPosixFilePermissions(fast, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aDirOfAnotherUserThanTheNodeManagersIsAnError() throws IOException {
    conf.script("export HADOOP_CLASSPATH=LIB/*\nexport YARN_NODEMANAGER_USER=t-yarn\n");
    conf.says(
        "ERROR " + LOCAL_DIRS + " = ",
        Files.getOwner(fast).getName(),
        "user is t-yarn",
        "Give all");
    // One that is to be made is the owner's of the folder above.
    Path missing = fast.resolve("missing");
    conf.set(Conf.YARN, LOCAL_DIRS, missing + "," + slow);
    conf.set(Conf.YARN, "temptier.local-dirs", "[NVME]" + missing + ",[DISK]" + slow);
    conf.says("ERROR " + LOCAL_DIRS + " = " + missing + "," + slow, "user is t-yarn");
    conf.set(Conf.YARN, LOCAL_DIRS, fast + "," + slow);
    tags("[NVME]", "[DISK]");
    Files.setPosixFilePermissions(fast, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxrwxr-x"));
    // Others may write.
    conf.ready();
  }

  @Test
  void servicesOfAManifestAreNotKnown() {
    conf.set(Conf.YARN, "yarn.nodemanager.aux-services.manifest", "/t/services.json");
    // It is not switched on.
    conf.ready();
    conf.set(Conf.YARN, "yarn.nodemanager.aux-services.manifest.enabled", "true");
    conf.says("UNKNOWN yarn.nodemanager.aux-services.manifest", "/t/services.json");
  }

  @Test
  void twoVersionsOnTheNodeManagersClassPathAreAnError() throws IOException {
    Path other = dir.resolve("other/temptier-0.1.jar");
    conf.jar(other);
    conf.script("export HADOOP_CLASSPATH=LIB/*:" + other + "\n");
    conf.says("ERROR HADOOP_CLASSPATH", "more than once", other.toString(), "one version only");
    Files.delete(other);
    Files.createSymbolicLink(other, conf.lib().resolve("temptier.jar"));
    // One jar by two names.
    conf.ready();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/t-nowhere/*", "/t-nowhere/temptier/*"})
  void aClassPathOfContainersThatLeadsNowhereIsAnError(String nowhere) {
    conf.set(Conf.YARN, ADMIN_ENV + ".CLASSPATH", nowhere);
    conf.says(
        "ERROR " + ADMIN_ENV + ".CLASSPATH = " + nowhere, "/t-nowhere", "go on without TempTier");
    conf.unset(Conf.YARN, ADMIN_ENV + ".CLASSPATH");
    conf.set(Conf.YARN, ADMIN_ENV, "CLASSPATH=" + conf.lib() + "/*");
    // The other form of the property.
    conf.ready();
  }

  @Test
  void capsBelowTheRoomOfAWorkDirAreAnError() {
    tags("[NVME:120m]", "[DISK]");
    conf.says(
        "ERROR temptier.local-dirs = [NVME:120m]",
        "may hold 4 GiB",
        "work dirs",
        "lower temptier.large");
    conf.set(Conf.YARN, "temptier.large-size", "64m");
    conf.ready();
    tags("[NVME:0]", "[DISK]");
    // That is how a tier is switched off.
    conf.ready();
    tags("[NVME]", "[DISK]");
    conf.set(Conf.YARN, "temptier.reserve.nvme", "900000t");
    conf.says("ERROR temptier.local-dirs = [NVME]", "above the reserve", "lower the reserve");
  }

  @Test
  void dirsThatOnlyRootMayWriteToAreAWarning() throws IOException {
    boolean roots = Files.getOwner(fast).getName().equals("root");
    assertEquals(roots, conf.ready().flat().contains("Only root may write there"));
    conf.script("export HADOOP_CLASSPATH=LIB/*\nYARN_NODEMANAGER_USER=root\n");
    conf.doctor().lacks("Only root may");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/*.jar"})
  void aFolderOfJarsNamedAsNoneIsToldHowToWrite(String annex) {
    conf.script("export HADOOP_CLASSPATH=LIB" + annex + "\n");
    conf.set(Conf.YARN, ADMIN_ENV + ".CLASSPATH", ".:" + conf.lib() + annex);
    for (String key : new String[] {"HADOOP_CLASSPATH", ADMIN_ENV}) {
      conf.says("ERROR " + key, "Write " + conf.lib() + "/* for the jars of that folder");
    }
  }

  @Test
  void whatKeepsOtherServicesFromStartingIsAnError() throws IOException {
    String services = "yarn.nodemanager.aux-services";
    conf.set(Conf.YARN, services, "mapreduce_shuffle spark_shuffle");
    conf.says(
        "ERROR " + services + " = ",
        "no name of a service",
        "<value>mapreduce_shuffle,spark_shuffle");
    for (String blank : new String[] {" ", "\n\t"}) {
      conf.set(Conf.YARN, services, "mapreduce_shuffle," + blank + "spark_shuffle");
      conf.says(
          "ERROR " + services + " = ",
          "is no name of a service: the NodeManager will not start",
          "<value>mapreduce_shuffle,spark_shuffle");
    }
    conf.set(Conf.YARN, services, "mapreduce.shuffle");
    conf.says("ERROR " + services + " = ", "<value>mapreduce_shuffle</value>");
    conf.set(Conf.YARN, services, "mapreduce_shuffle,spark_shuffle");
    String key = services + ".spark_shuffle.class";
    conf.says("ERROR " + key, "No class is named for the service spark_shuffle");
    conf.set(Conf.YARN, key, "com.example.Shuffle");
    conf.says("UNKNOWN " + key, "cannot be searched in full", "hold com.example.Shuffle");
    conf.script("export HADOOP_HOME=" + dir + "\nexport HADOOP_CLASSPATH=LIB/*\n");
    conf.says("ERROR " + key, "does not hold com.example.Shuffle", "will not start");
    conf.set(Conf.YARN, services + ".spark_shuffle.classpath", "/t-spark/*");
    conf.says("ERROR " + key, services + ".spark_shuffle.classpath does not hold com.example");
    conf.jar(dir.resolve("spark/shuffle.jar"), "com.example.Shuffle");
    conf.set(Conf.YARN, services + ".spark_shuffle.classpath", dir.resolve("spark") + "/*");
    conf.ready();
    String listeners = "yarn.nodemanager.container-state-transition-listener.classes";
    conf.set(Conf.YARN, listeners, "com.example.Audit,io.temptier.hadoop.NodeManagerTiering");
    conf.says("ERROR " + listeners, "does not hold com.example.Audit");
    conf.jar(dir.resolve("share/hadoop/yarn/lib/audit.jar"), "com.example.Audit");
    conf.ready();
  }

  @Test
  void dirsAreQuotedAsTheFileHasThem() {
    tags("[NVME:8000t]", "[DISK]");
    conf.doctor().says("temptier.local-dirs = [NVME:8000t]" + fast).lacks("8796093022208000");
    conf.unset(Conf.YARN, "temptier.local-dirs");
    conf.doctor().lacks(LOCAL_DIRS + " = [");
  }

  @Test
  void aHomeWithoutHadoopIsNotSaidToBeUnset() {
    conf.script("export HADOOP_HOME=/t-hadoop\nexport HADOOP_CLASSPATH=LIB/none/*\n");
    conf.says("ERROR HADOOP_CLASSPATH", "/t-hadoop/share/hadoop/common/*");
    conf.doctor().lacks("HADOOP_HOME is not set");
  }
}
