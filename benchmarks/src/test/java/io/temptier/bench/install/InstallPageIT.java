// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Programs;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.TeraRows;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.testbed.Folders;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows {@code docs/install.md} from the tarball to the roll-back, on a NodeManager of Hadoop's
 * own jars that has never seen TempTier.
 */
@BeforeRelease
final class InstallPageIT {
  private static final String TIERED_NODE = "Hadoop:service=NodeManager,name=TempTier";
  private static final Pattern ATTEMPT = Pattern.compile("attempt_\\d+_\\d+_m_\\d+_\\d+");

  @TempDir Path root;
  private InstallPage page;
  private HadoopRuntime hadoop;
  private Path bin;

  @BeforeEach
  void readPage() throws IOException {
    Path checkout = HadoopRuntime.sourceRoot().orElseThrow();
    page = new InstallPage(checkout.resolve("docs/install.md"), root);
    hadoop = HadoopRuntime.locate().stock();
    Files.createDirectories(root.resolve("opt"));
    bin = Files.createDirectories(root.resolve("bin"));
    // What `hadoop classpath` prints on a node with Hadoop installed.
    String classpath = JavaCommand.path(hadoop.jars());
    Programs.script(bin.resolve("hadoop"), "echo '" + classpath + "'");
    try (Stream<Path> built = Files.list(checkout.resolve("cli/target"))) {
      Path tarball =
          built
              .filter(file -> file.getFileName().toString().endsWith(".tar.gz"))
              .findFirst()
              .orElseThrow();
      Files.copy(tarball, root.resolve(tarball.getFileName()));
    }
  }

  @Test
  void followingThePageInstallsAndRollsBack() throws Exception {
    // 1. Drop in
    shell(page.block(1, "sh", 0), Map.of());
    Path lib = root.resolve("opt/temptier/lib");
    String classPathLine = page.block(1, "sh", 1);
    assertTrue(classPathLine.contains(lib + "/*"), classPathLine);
    HadoopRuntime withDropIns;
    try (Stream<Path> jars = Files.list(lib)) {
      withDropIns =
          new HadoopRuntime(
              hadoop.jars(),
              jars.filter(Files::isRegularFile).sorted().toList(),
              hadoop.javaHome());
    }

    // 2. Configure
    Map<String, String> yarn = page.properties(2, 0);
    List<ClusterSpec.Dir> dirs =
        Arrays.stream(yarn.getOrDefault("yarn.nodemanager.local-dirs", "").split(",", -1))
            .map(dir -> new ClusterSpec.Dir("", Path.of(dir)))
            .toList();
    ClusterSpec stock =
        new ClusterSpec(withDropIns, root.resolve("cluster"))
            .shortTasks()
            .dirs(dirs.toArray(ClusterSpec.Dir[]::new))
            .yarn("yarn.nodemanager.recovery.enabled", "true")
            .yarn("yarn.nodemanager.recovery.dir", root.resolve("recovery").toString());
    ClusterSpec installed = stock.copy();
    yarn.forEach(installed::yarn);
    // The dirs of the example lie on one disk here, which may be fuller than a worker's.
    installed.yarn("temptier.reserve", "64m");
    installed.yarn(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");

    try (PseudoCluster cluster = PseudoCluster.start(stock)) {
      assertTrue(cluster.nodeBeans(0, TIERED_NODE).isEmpty(), "stock knows no TempTier");
      run(cluster, TeraRows.teragen(cluster, 200_000, 2, "/in"));

      // 4. Restart one NodeManager, on the files that 3. the doctor has examined
      cluster.restartNode(0, installed);
      String conf = conf(cluster);
      Map<String, String> environment = Map.of("HADOOP_CONF_DIR", conf);
      theDoctorRefusesFilesWithoutJars(page.block(3, "sh", 0), conf, classPathLine);
      assertEquals(
          "", shell(page.block(3, "sh", 0), environment).errors(), "the doctor's complaints");

      // 5. Check that it works
      String statusUrl = cluster.nodeUrl(0);
      String status = page.block(5, "sh", 0);
      assertTrue(status.contains("http://localhost:8042"), status);
      String shown =
          shell(status.replace("http://localhost:8042", statusUrl), environment).output();
      assertTrue(shown.contains("NVME") && shown.contains("DISK"), shown);
      String log = Files.readString(cluster.nodeManagers().get(0).log());
      for (String line :
          List.of(
              "TempTier places the NodeManager's files: NVME over DISK",
              "TempTier serves map outputs from NVME over DISK")) {
        assertTrue(log.contains(line), () -> "the line of the log that the page names: " + line);
      }
      CompletableFuture<JobResult> running =
          CompletableFuture.supplyAsync(
              () ->
                  run(
                      cluster,
                      "terasort",
                      // Ten maps, one after the other, so that it runs on beyond the roll-back.
                      "-Dmapreduce.input.fileinputformat.split.maxsize=2000000",
                      "-Dmapreduce.job.running.map.limit=1",
                      // Reducers use their tries up while the node is away, for as long as it takes
                      // this machine to start one (stock's ShuffleSchedulerImpl).
                      "-Dmapreduce.map.maxattempts=20",
                      "-Dmapreduce.reduce.maxattempts=20",
                      "/in",
                      "/out"));
      String explain =
          ATTEMPT.matcher(page.block(5, "sh", 1)).replaceAll(awaitMapOutput(cluster)).strip();
      for (Path dir : cluster.localDirs(0)) {
        explain += " --dir " + dir;
      }
      String said = shell(explain, environment).output().replaceAll("\\s+", " ");
      assertTrue(said.contains("NVME") && said.contains("the fastest tier had room"), said);

      // 7. Roll back, with the job running
      assertFalse(running.isDone(), "the job ended before the roll-back");
      cluster.restartNode(0, stock);
      JobResult survived = running.get(20, TimeUnit.MINUTES);
      assertTrue(survived.placed("NVME_FILES") > 0, "counters: the job used the fast tier");
      assertTrue(cluster.nodeBeans(0, TIERED_NODE).isEmpty(), "it is stock again");
      shell(page.block(7, "sh", 0), Map.of());
      for (ClusterSpec.Dir dir : dirs) {
        assertFalse(Files.exists(dir.path().resolve(".temptier")), dir + " is clean");
      }
    }
  }

  /** Where the jars are not, a NodeManager with these files does not start. */
  private void theDoctorRefusesFilesWithoutJars(String doctor, String conf, String classPathLine)
      throws Exception {
    Path script = Path.of(conf, "yarn-env.sh");
    Files.writeString(script, classPathLine.replace("/lib/*", "/not-there/*"));
    String asked = "if " + doctor.strip() + "; then echo accepted; else echo refused; fi\n";
    String said = shell(asked, Map.of("HADOOP_CONF_DIR", conf)).output().replaceAll("\\s+", " ");
    assertTrue(said.contains("Not ready") && said.strip().endsWith("refused"), said);
    assertTrue(said.contains("does not hold io.temptier.hadoop.NodeManagerTiering"), said);
    Files.writeString(script, classPathLine);
  }

  /** Waits until a map output of a running job lies in a local dir; its attempt. */
  private static String awaitMapOutput(PseudoCluster cluster) {
    List<Path> found = new ArrayList<>();
    Eventually.holds(
        "a map output is there",
        () -> {
          cluster
              .localDirs(0)
              .forEach(dir -> found.addAll(Folders.find(dir, file -> file.endsWith("file.out"))));
          return !found.isEmpty();
        });
    Matcher attempt = ATTEMPT.matcher(found.get(0).toString());
    assertTrue(attempt.find(), found::toString);
    return attempt.group();
  }

  /** The node's files, as an operator would roll them out. */
  private String conf(PseudoCluster cluster) throws IOException {
    Path conf = Files.createDirectories(root.resolve("conf"));
    for (String file : List.of("core-site.xml", "yarn-site.xml", "mapred-site.xml")) {
      Files.copy(cluster.nodeConf(0).resolve(file), conf.resolve(file));
    }
    return conf.toString();
  }

  private static JobResult run(PseudoCluster cluster, String... command) {
    try {
      return cluster.example(command).requireSuccess();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Said(String output, String errors) {}

  /** Runs a block of the page with bash, stopping at the first command that fails. */
  private Said shell(String block, Map<String, String> environment)
      throws IOException, InterruptedException {
    File output = root.resolve("output").toFile();
    File errors = root.resolve("errors").toFile();
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-euc", block)
            .directory(root.toFile())
            .redirectOutput(output)
            .redirectError(errors);
    builder.environment().putAll(environment);
    builder.environment().remove("HADOOP_HOME");
    builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
    int code = builder.start().waitFor();
    String said = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    String complained = Files.readString(errors.toPath(), StandardCharsets.UTF_8);
    assertEquals(0, code, block + "\n" + said + complained);
    return new Said(said, complained);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(root)) {
      assertTrue(
          left.noneMatch(path -> path.endsWith("cluster")), "the cluster removed its folder");
    }
  }

  /**
   * {@code docs/install.md} as its reader meets it: numbered steps with blocks to run or to paste.
   * Blocks are given as they stand but for the example paths, which are put under a root of the
   * test.
   */
  static final class InstallPage {
    private static final Pattern STEP = Pattern.compile("(?m)^## (\\d+)\\. ");
    private static final Pattern BLOCK = Pattern.compile("(?s)```(\\w+)\\n(.*?)```");
    private static final Pattern PROPERTY =
        Pattern.compile(
            "(?s)<property>\\s*<name>(.*?)</name>\\s*<value>(.*?)</value>\\s*</property>");

    /** The example paths of the page. */
    private static final Pattern EXAMPLE_PATH =
        Pattern.compile("(?<![\\w/.])/(?=opt\\b|nvme0\\b|hdd\\d\\b)");

    private record Block(int step, String language, String text) {}

    private final List<Block> blocks = new ArrayList<>();

    /**
     * Reads the page.
     *
     * @param root stands for {@code /} in its example paths
     */
    InstallPage(Path page, Path root) throws IOException {
      String text = Files.readString(page);
      Matcher step = STEP.matcher(text);
      int begin = -1;
      int number = 0;
      while (begin < text.length()) {
        boolean more = step.find();
        int end = more ? step.start() : text.length();
        if (begin >= 0) {
          Matcher block = BLOCK.matcher(text.substring(begin, end));
          while (block.find()) {
            String placed = EXAMPLE_PATH.matcher(block.group(2)).replaceAll(root + "/");
            blocks.add(new Block(number, block.group(1), placed));
          }
        }
        number = more ? Integer.parseInt(step.group(1)) : number;
        begin = more ? step.end() : text.length();
      }
    }

    /** The {@code index}-th block of a step, counted from 0. */
    String block(int step, String language, int index) {
      return blocks.stream()
          .filter(block -> block.step() == step && block.language().equals(language))
          .skip(index)
          .findFirst()
          .orElseThrow(
              () ->
                  new AssertionError(
                      "docs/install.md has no block "
                          + language
                          + " "
                          + index
                          + " in step "
                          + step))
          .text();
    }

    /** The properties of the {@code index}-th XML block of a step. */
    Map<String, String> properties(int step, int index) {
      Map<String, String> properties = new LinkedHashMap<>();
      Matcher property = PROPERTY.matcher(block(step, "xml", index));
      while (property.find()) {
        properties.put(property.group(1), property.group(2));
      }
      return properties;
    }
  }
}
