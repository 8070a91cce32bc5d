// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import io.temptier.cli.SiteFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Writes the configuration folder of a test: sound at first, then spoilt. */
final class Conf {
  static final String YARN = "yarn-site.xml";
  static final String MAPRED = "mapred-site.xml";
  static final String CORE = "core-site.xml";

  private final Path dir;
  private final Map<String, List<String>> files = new LinkedHashMap<>();

  /** A sound configuration of two tiers on dirs that no machine has. */
  Conf(Path dir) {
    this.dir = dir;
    set(CORE, "fs.defaultFS", "hdfs://nn1:8020");
    set(YARN, "yarn.nodemanager.local-dirs", "/t-nvme0/yarn,/t-hdd0/yarn");
    set(YARN, "temptier.local-dirs", "[NVME:200g]/t-nvme0/yarn,[DISK]/t-hdd0/yarn");
    set(
        YARN,
        "yarn.nodemanager.container-state-transition-listener.classes",
        "io.temptier.hadoop.NodeManagerTiering");
    set(YARN, "yarn.nodemanager.aux-services", "mapreduce_shuffle");
    set(
        YARN,
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "io.temptier.shuffle.TieredShuffleHandler");
    set(YARN, "yarn.nodemanager.admin-env.CLASSPATH", dir.resolve("lib") + "/*");
    set(MAPRED, "mapreduce.job.reduces", "4");
    script("export HADOOP_CLASSPATH=\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}LIB/*\"\n");
    jar(lib().resolve("temptier.jar"));
  }

  Path lib() {
    return dir.resolve("lib");
  }

  /** Writes yarn-env.sh, with that folder in the place of LIB. */
  Conf script(String text) {
    String script = text.replace("LIB", lib().toString());
    return file(dir.resolve("yarn-env.sh"), script.getBytes(StandardCharsets.UTF_8));
  }

  /** Makes a jar with TempTier's classes, if it is called after it, and others. */
  Conf jar(Path jar, String... others) {
    List<String> names = new ArrayList<>(List.of(others));
    if (ClassPath.namesDropInJars(jar.getFileName().toString())) {
      names.add("io.temptier.hook.HookFileSystem");
      Stream.of(NodeManagerChecks.PluginClass.values()).forEach(each -> names.add(each.className));
    }
    Map<String, String> entries = new TreeMap<>();
    names.forEach(name -> entries.put(name.replace('.', '/') + ".class", ""));
    return jar(jar, entries);
  }

  /** Makes a jar of one class that says which version it is, as Maven does or as Hadoop does. */
  Conf jar(Path jar, String className, String saysIn, String version) {
    return jar(
        jar, Map.of(className.replace('.', '/') + ".class", "", saysIn, "version=" + version));
  }

  private Conf jar(Path jar, Map<String, String> entries) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes)) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file(jar, bytes.toByteArray());
  }

  private Conf file(Path file, byte[] content) {
    try {
      Files.createDirectories(file.resolveSibling("."));
      Files.write(file, content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets a property, in place of one of that name in that file. */
  Conf set(String file, String key, String value) {
    unset(file, key);
    return add(file, SiteFiles.property(key, value));
  }

  Conf unset(String file, String key) {
    files
        .computeIfAbsent(file, name -> new ArrayList<>())
        .removeIf(line -> line.contains("<name>" + key + "</name>"));
    return this;
  }

  /** Adds a line as it is. */
  Conf add(String file, String line) {
    files.computeIfAbsent(file, name -> new ArrayList<>()).add(line);
    return this;
  }

  Conf without(String file) {
    files.remove(file);
    return this;
  }

  /** Names dirs that this machine has, so that it is the node. */
  Conf here() throws IOException {
    Path fast = Files.createDirectories(dir.resolve("fast/yarn"));
    Path slow = Files.createDirectories(dir.resolve("slow/yarn"));
    set(YARN, "yarn.nodemanager.local-dirs", fast + "," + slow);
    return set(YARN, "temptier.local-dirs", "[NVME]" + fast + ",[DISK]" + slow);
  }

  /** Writes the files; each property stands on its own line, the first on line 3. */
  Path write() {
    try {
      for (Map.Entry<String, List<String>> file : files.entrySet()) {
        Files.writeString(
            dir.resolve(file.getKey()),
            "<?xml version=\"1.0\"?>\n<configuration>\n"
                + String.join("\n", file.getValue())
                + "\n</configuration>\n");
      }
      return dir;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the files and runs the doctor on them. */
  Run doctor(String... more) {
    return Run.of(List.of("doctor", "--conf-dir", write().toString()), more);
  }

  Run ready(String... more) {
    return doctor(more).fine();
  }

  /** Asserts a finding that begins so and has the words, and the exit code of its severity. */
  void says(String head, String... words) {
    boolean fine = head.startsWith("WARNING") || head.startsWith("INFO");
    Run run = doctor().ends(fine ? ExitCodes.FINE : ExitCodes.FAILED);
    assertTrue(
        Stream.of(run.flat().split(" (?=(?:ERROR|UNKNOWN|WARNING|INFO) )"))
            .filter(finding -> finding.startsWith(head))
            .anyMatch(finding -> Stream.of(words).allMatch(finding::contains)),
        () -> head + ": " + List.of(words) + " is missing:\n" + run.out());
  }
}
